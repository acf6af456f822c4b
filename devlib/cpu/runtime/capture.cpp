// Capture: while a stream is being captured, what is put into it becomes nodes of a graph. A stream that
// waits for an event of a capture joins it.
#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>

#include "cuinstrument/backend/cpu/toolkit/launch_overloads.h"
#include "graph.h"
#include "runtime.h"

namespace cui::cpu {
namespace {

struct Capture {
  cudaGraph_t graph;
  cudaStream_t origin;
  unsigned long long id;
  bool isIntoGraph;                                           ///< of the program's
  std::map<cudaStream_t, std::vector<cudaGraphNode_t>> ends;  ///< what the stream's next node comes after
};

struct Mark {
  std::weak_ptr<Capture> capture;
  std::vector<cudaGraphNode_t> ends;
};

struct State {
  std::mutex mutex;
  std::map<cudaStream_t, std::shared_ptr<Capture>> streams;
  std::map<cudaEvent_t, Mark> marks;
};
State& state() {
  static auto* instance = new State;  // outlives static destructors
  return *instance;
}
std::atomic<unsigned> captures{0};

std::shared_ptr<Capture> captureOf(cudaStream_t stream) {
  const auto found = state().streams.find(stream);
  return found == state().streams.end() ? nullptr : found->second;
}

}  // namespace

bool isCapturing(cudaStream_t stream) {
  if (captures.load(std::memory_order_relaxed) == 0) return false;
  std::lock_guard<std::mutex> lock(state().mutex);
  return captureOf(stream) != nullptr;
}

cudaError_t capture(cudaStream_t stream, cudaGraphNodeType type, NodeWork work,
                    std::shared_ptr<const ReservedMemory> memory) {
  std::lock_guard<std::mutex> lock(state().mutex);
  const std::shared_ptr<Capture> open = captureOf(stream);
  if (open == nullptr) return leave(cudaErrorStreamCaptureInvalidated);
  auto node = std::make_unique<CUgraphNode_st>();
  node->type = type;
  node->work = std::move(work);
  node->memory = std::move(memory);
  node->dependencies = open->ends[stream];
  open->ends[stream] = {node.get()};
  open->graph->nodes.push_back(std::move(node));
  return cudaSuccess;
}

cudaError_t captureRecord(cudaStream_t stream, cudaEvent_t event) {
  std::lock_guard<std::mutex> lock(state().mutex);
  const std::shared_ptr<Capture> open = captureOf(stream);
  if (open == nullptr) return leave(cudaErrorStreamCaptureInvalidated);
  state().marks[event] = {open, open->ends[stream]};
  return cudaSuccess;
}

bool captureWait(cudaStream_t stream, cudaEvent_t event) {
  if (captures.load(std::memory_order_relaxed) == 0) return false;
  std::lock_guard<std::mutex> lock(state().mutex);
  const auto mark = state().marks.find(event);
  if (mark == state().marks.end()) return false;
  const std::shared_ptr<Capture> open = mark->second.capture.lock();
  if (open == nullptr) return false;
  const std::shared_ptr<Capture> own = captureOf(stream);
  if (own != nullptr && own != open) return false;
  state().streams[stream] = open;
  std::vector<cudaGraphNode_t>& ends = open->ends[stream];
  for (const cudaGraphNode_t end : mark->second.ends)
    if (std::find(ends.begin(), ends.end(), end) == ends.end()) ends.push_back(end);
  return true;
}

}  // namespace cui::cpu

using namespace cui::cpu;

namespace {
/// `graph` null: into a new one.
cudaError_t beginCapture(cudaStream_t stream, cudaGraph_t graph, std::vector<cudaGraphNode_t> ends) {
  static std::atomic<unsigned long long> lastId{0};
  if (!isStream(stream)) return leave(cudaErrorInvalidResourceHandle);
  if (stream == nullptr || stream == cudaStreamLegacy) return leave(cudaErrorStreamCaptureUnsupported);
  std::lock_guard<std::mutex> lock(state().mutex);
  if (captureOf(stream) != nullptr) return leave(cudaErrorIllegalState);
  state().streams[stream] = std::make_shared<Capture>(Capture{graph == nullptr ? newGraph() : graph,
                                                              stream,
                                                              ++lastId,
                                                              graph != nullptr,
                                                              {{stream, std::move(ends)}}});
  ++captures;
  return cudaSuccess;
}
}  // namespace

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode) {
  if (const cudaError_t error = enter()) return leave(error);
  return beginCapture(stream, nullptr, {});
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t* dependencies, const cudaGraphEdgeData*,
                                          size_t count, enum cudaStreamCaptureMode) {
  if (const cudaError_t error = enter()) return leave(error);
  if (!isGraph(graph) || (dependencies == nullptr && count > 0)) return leave(cudaErrorInvalidValue);
  return beginCapture(stream, graph, {dependencies, dependencies + count});
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus* status,
                                     unsigned long long* id, cudaGraph_t* graph,
                                     const cudaGraphNode_t** dependencies, const cudaGraphEdgeData** edges,
                                     size_t* count) {
  if (const cudaError_t error = enter()) return leave(error);
  if (!isStream(stream)) return leave(cudaErrorInvalidResourceHandle);
  if (status == nullptr) return leave(cudaErrorInvalidValue);
  std::lock_guard<std::mutex> lock(state().mutex);
  const std::shared_ptr<Capture> open = captureOf(stream);
  *status = open == nullptr ? cudaStreamCaptureStatusNone : cudaStreamCaptureStatusActive;
  if (open == nullptr) return cudaSuccess;
  const std::vector<cudaGraphNode_t>& ends = open->ends[stream];
  if (id != nullptr) *id = open->id;
  if (graph != nullptr) *graph = open->graph;
  if (dependencies != nullptr) *dependencies = ends.data();
  if (edges != nullptr) *edges = nullptr;  // all are plain
  if (count != nullptr) *count = ends.size();
  return cudaSuccess;
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* dependencies,
                                                const cudaGraphEdgeData*, size_t count, unsigned int flags) {
  if (const cudaError_t error = enter()) return leave(error);
  if ((dependencies == nullptr && count > 0) || flags > cudaStreamSetCaptureDependencies)
    return leave(cudaErrorInvalidValue);
  std::lock_guard<std::mutex> lock(state().mutex);
  const std::shared_ptr<Capture> open = captureOf(stream);
  if (open == nullptr) return leave(cudaErrorIllegalState);
  std::vector<cudaGraphNode_t>& ends = open->ends[stream];
  if (flags == cudaStreamSetCaptureDependencies) ends.clear();
  ends.insert(ends.end(), dependencies, dependencies + count);
  return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  if (const cudaError_t error = enter()) return leave(error);
  std::lock_guard<std::mutex> lock(state().mutex);
  const std::shared_ptr<Capture> open = captureOf(stream);
  if (open == nullptr || (graph == nullptr && !open->isIntoGraph)) return leave(cudaErrorIllegalState);
  if (open->origin != stream) return leave(cudaErrorStreamCaptureUnmatched);
  for (auto one = state().streams.begin(); one != state().streams.end();)
    one = one->second == open ? state().streams.erase(one) : std::next(one);
  for (auto mark = state().marks.begin(); mark != state().marks.end();)
    mark = mark->second.capture.lock() == open ? state().marks.erase(mark) : std::next(mark);
  --captures;
  if (graph != nullptr) *graph = open->graph;
  return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus* status) {
  if (const cudaError_t error = enter()) return leave(error);
  if (!isStream(stream)) return leave(cudaErrorInvalidResourceHandle);
  if (status == nullptr) return leave(cudaErrorInvalidValue);
  *status = isCapturing(stream) ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  return cudaSuccess;
}

// The modes say which calls of other threads endanger a capture; none does here.
cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode* mode) {
  if (const cudaError_t error = enter()) return leave(error);
  static thread_local cudaStreamCaptureMode current = cudaStreamCaptureModeGlobal;
  if (mode == nullptr) return leave(cudaErrorInvalidValue);
  std::swap(*mode, current);
  return cudaSuccess;
}

namespace cui::backend {

bool isCapturing(void* stream) {
  return cpu::isCapturing(static_cast<cudaStream_t>(stream));
}

void captureLaunch(const format::UnitTable* unit, unsigned launchEntry, const LaunchShape& shape,
                   void (*thread)(void*), void* context, void (*destroy)(void*)) {
  const std::shared_ptr<void> kept(context, destroy);
  const auto work = [=](cudaStream_t stream) {
    LaunchShape here = shape;
    here.stream = stream;
    return launchAndReport(unit, launchEntry, here, thread, kept.get());
  };
  cpu::capture(static_cast<cudaStream_t>(shape.stream), cudaGraphNodeTypeKernel, work);
}

}  // namespace cui::backend
