# Copies the CUDA backend's headers to ${TO}/emulated, in another namespace: there they are a program's own
# source, which the rewriter prepares for the CPU backend as it does any.
#   cmake -DFROM=<devlib/include/cuinstrument/backend/cuda> -DTO=<folder> -P emulate.cmake
file(GLOB headers "${FROM}/*.h")
foreach(header IN LISTS headers)
  cmake_path(GET header FILENAME name)
  file(READ "${header}" text)
  string(REPLACE "cuinstrument/backend/cuda/" "emulated/" text "${text}")
  string(REPLACE "namespace backend" "namespace emulated" text "${text}")
  string(REPLACE "backend::" "emulated::" text "${text}")
  file(CONFIGURE OUTPUT "${TO}/emulated/${name}" CONTENT "${text}" @ONLY)
endforeach()
