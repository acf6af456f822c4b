// Runtime calls whose name a macro pastes together (`#define CHECK(call) … cuda##call`): CUI_PASTED_API(n,
// cuda##call) is a wrapped call where that makes one of api.def's names, and else what it is. It gets the
// name with the arguments behind it or without them, as the macro has it.
#pragma once

// One for each row of api.def (tests/golden/unit/pasted_call_test.cpp holds them against each other): a
// comma, which moves the choice to another place. The names themselves stay as they are, because they are
// pasted.
#define CUI_RUNTIME_cudaMalloc ,
#define CUI_RUNTIME_cudaMallocManaged ,
#define CUI_RUNTIME_cudaMallocHost ,
#define CUI_RUNTIME_cudaHostAlloc ,
#define CUI_RUNTIME_cudaMallocAsync ,
#define CUI_RUNTIME_cudaMallocPitch ,
#define CUI_RUNTIME_cudaMallocFromPoolAsync ,
#define CUI_RUNTIME_cudaMalloc3D ,
#define CUI_RUNTIME_cudaHostRegister ,
#define CUI_RUNTIME_cudaMallocArray ,
#define CUI_RUNTIME_cudaMalloc3DArray ,
#define CUI_RUNTIME_cudaMallocMipmappedArray ,
#define CUI_RUNTIME_cudaFree ,
#define CUI_RUNTIME_cudaFreeHost ,
#define CUI_RUNTIME_cudaFreeAsync ,
#define CUI_RUNTIME_cudaHostUnregister ,
#define CUI_RUNTIME_cudaFreeArray ,
#define CUI_RUNTIME_cudaFreeMipmappedArray ,
#define CUI_RUNTIME_cudaMemcpy ,
#define CUI_RUNTIME_cudaMemcpyAsync ,
#define CUI_RUNTIME_cudaMemcpy2D ,
#define CUI_RUNTIME_cudaMemcpyToSymbol ,
#define CUI_RUNTIME_cudaMemcpyFromSymbol ,
#define CUI_RUNTIME_cudaMemset ,
#define CUI_RUNTIME_cudaMemsetAsync ,
#define CUI_RUNTIME_cudaDeviceSynchronize ,
#define CUI_RUNTIME_cudaStreamSynchronize ,
#define CUI_RUNTIME_cudaEventSynchronize ,
#define CUI_RUNTIME_cudaDeviceReset ,

#define CUI_PASTED_API(n, ...) CUI_CHOOSE_CALL(n, CUI_RUNTIME_##__VA_ARGS__) __VA_ARGS__
#define CUI_CHOOSE_CALL(n, ...) CUI_CHOSEN_CALL(n, __VA_ARGS__, CUI_CALL_OF, CUI_NO_CALL, )
#define CUI_CHOSEN_CALL(n, name, arguments, chosen, ...) chosen(n)
#define CUI_CALL_OF(n) ::cui::CuiCall(n).
#define CUI_NO_CALL(n)
