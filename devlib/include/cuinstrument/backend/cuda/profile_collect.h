// Host side of profile mode: the table that kernels add to (profile_lanes.h), and handing on what it holds.
//
// All calls here are made with the runtime's lock held and inside QuietCalls. Rows are read, and used again,
// only while nothing that records can be running.
#pragma once

#include <string.h>

#include "cuinstrument/backend/cuda/collect.h"
#include "cuinstrument/backend/cuda/host_runtime.h"
#include "cuinstrument/host/abi.h"

CUI_HOST_SIDE_BEGIN
namespace cui {
namespace backend {

constexpr std::size_t profileBudget = 256u << 20;  ///< bytes of device memory at most
constexpr unsigned int profileReplicas = 16;
/// Each time they are used up the host waits for the device.
constexpr unsigned int profileRowsWanted = 2048;

/// Bytes of one replica of a row.
inline std::size_t profilePieceBytes(const ProfileTable& table) {
  return std::size_t{table.siteCount} * 2 * sizeof(ProfileSums);
}
inline std::size_t profileRowBytes(const ProfileTable& table) {
  return profilePieceBytes(table) * (table.replicaMask + 1);
}
inline unsigned int profileRows(const ProfileTable& table) {
  return table.rowMask + 1;
}
/// Bytes of ProfileTable::owners and ::used, which follow the sums.
inline std::size_t profileOwnerBytes(const ProfileTable& table) {
  return std::size_t{profileRows(table)} * (table.replicaMask + 1) * sizeof(ProfileOwner);
}
inline std::size_t profileMarkBytes(const ProfileTable& table) {
  return profileOwnerBytes(table) + std::size_t{profileRows(table)} * table.siteCount;
}

/// Chooses replicas, then rows, for what fits, also in the staging memory. False if there would be none.
inline bool layOutProfile(ProfileTable& table, unsigned int sites, std::size_t bytes) {
  table.siteCount = sites;
  table.replicaMask = profileReplicas - 1;
  while (table.replicaMask > 0 && bytes / profileRowBytes(table) < profileRowsWanted) table.replicaMask /= 2;
  const std::size_t rows = bytes / profileRowBytes(table);
  table.rowMask = profileRowsWanted - 1;
  while (table.rowMask != 0 && (profileRows(table) > rows || profileMarkBytes(table) > stagingBytes))
    table.rowMask /= 2;
  return rows != 0 && profilePieceBytes(table) <= stagingBytes && profileMarkBytes(table) <= stagingBytes;
}

/// Bytes of ProfileSlots::lanesUsed, and of ::planesUsed, which follow them.
inline std::size_t lanesUsedBytes(const Device& device) {
  return std::size_t{device.warpSlots} * profilePlanes;
}
inline std::size_t planesUsedBytes(const Device& device) {
  return lanesUsedBytes(device) / device.contextCopy->constants.warpsPerMultiprocessor;
}

/// The warp slots' entries, and staging memory. Once.
inline bool makeProfileSlots(Device& device) {
  if (device.profileStaging != nullptr) return true;
  ProfileSlots& slots = device.profileSlots;
  const std::size_t marks = lanesUsedBytes(device);
  const std::size_t entries = marks * profileEntries, laneEntries = marks * 32 * profileLaneEntries;
  const std::size_t bytes = entries * sizeof(ProfileEntry) + laneEntries * sizeof(ProfileLaneEntry) + marks +
                            planesUsedBytes(device);
  RecorderConstants& constants = device.contextCopy->constants;
  if (cudaMalloc(reinterpret_cast<void**>(&constants.profile), bytes) != cudaSuccess ||
      cudaMemsetAsync(constants.profile, 0, bytes, device.stream) != cudaSuccess)
    return false;
  exportMemory(device, constants.profile, bytes);
  constants.profileLanes = reinterpret_cast<ProfileLaneEntry*>(constants.profile + entries);
  slots.lanesUsed = reinterpret_cast<unsigned char*>(constants.profileLanes + laneEntries);
  slots.planesUsed = slots.lanesUsed + marks;
  device.contextCopy->profileSlots = slots;
  return cudaHostAlloc(reinterpret_cast<void**>(&device.profileStaging), 2 * stagingBytes,
                       cudaHostAllocPortable) == cudaSuccess;
}

/// Makes the table for `sites` sites, in place of a smaller one, whose sums are kept until the end: kernels
/// may still add to it. False if it cannot be had; the units whose sites it lacks do not record then.
inline bool makeProfile(Device& device, unsigned int sites) {
  if (device.oldProfileCount == Device::maxOldProfiles || !makeProfileSlots(device)) return false;
  std::size_t available = 0, all = 0, budget = profileBudget;
  if (cudaMemGetInfo(&available, &all) != cudaSuccess) return false;
  if (budget > available / 8) budget = available / 8;
  ProfileTable table = {};
  if (!layOutProfile(table, sites + sites / 4 + 64, budget)) return false;
  const std::size_t sumsBytes = profileRows(table) * profileRowBytes(table);
  const std::size_t bytes = sumsBytes + profileMarkBytes(table);
  char* memory = nullptr;
  if (cudaMalloc(reinterpret_cast<void**>(&memory), bytes) != cudaSuccess) return false;
  table.sums = reinterpret_cast<ProfileSums*>(memory);
  table.owners = reinterpret_cast<ProfileOwner*>(memory + sumsBytes);
  table.used = reinterpret_cast<unsigned char*>(memory + sumsBytes + profileOwnerBytes(table));
  device.contextCopy->profile = table;
  if (cudaMemsetAsync(memory, 0, bytes, device.stream) != cudaSuccess ||
      cudaMemcpyAsync(&device.context->constants, &device.contextCopy->constants, sizeof(RecorderConstants),
                      cudaMemcpyHostToDevice, device.stream) != cudaSuccess ||
      cudaMemcpyAsync(&device.context->profileSlots, &device.contextCopy->profileSlots,
                      sizeof(ProfileSlots) + sizeof(ProfileTable), cudaMemcpyHostToDevice,
                      device.stream) != cudaSuccess ||
      !finishOwnStream(device)) {
    cudaFree(memory);
    return false;
  }
  exportMemory(device, memory, bytes);
  if (device.profile.sums != nullptr) device.oldProfiles[device.oldProfileCount++] = device.profile;
  device.profile = table;
  return true;
}

/// Hands sums to hostlib, some at a time.
class ProfileBatch {
 public:
  explicit ProfileBatch(const Device& device) : device_(device) {}
  ~ProfileBatch() { send(); }
  ProfileBatch(const ProfileBatch&) = delete;
  ProfileBatch& operator=(const ProfileBatch&) = delete;

  CuiProfile& add(unsigned long long launchKey, unsigned int site) {
    if (count_ == capacity) send();
    CuiProfile& profile = profiles_[count_++];
    profile = CuiProfile();
    profile.launchKey = launchKey;
    profile.site = site;
    return profile;
  }

 private:
  static constexpr std::size_t capacity = 64;
  void send() {
    if (count_ != 0) cuiProfile(device_.ring.device, profiles_, count_);
    count_ = 0;
  }
  const Device& device_;
  std::size_t count_ = 0;
  CuiProfile profiles_[capacity];
};

/// What is noted of a table's use, as it lies in the staging memory.
struct ProfileMarks {
  const ProfileOwner* owners;
  const unsigned char* used;
  const ProfileTable& table;

  const ProfileOwner& owner(unsigned int row, unsigned int replica) const {
    return owners[std::size_t{row} * (table.replicaMask + 1) + replica];
  }
  bool uses(unsigned int row, unsigned int site) const {
    return used[std::size_t{row} * table.siteCount + site] != 0;
  }
};

/// Neighbouring sites.
struct ProfileSites {
  unsigned int first, end;
  std::size_t bytes() const { return std::size_t{end - first} * 2 * sizeof(ProfileSums); }
};
/// Those between which all are that some launch has used: few of many where small kernels are launched again
/// and again.
inline ProfileSites usedSites(const ProfileMarks& marks) {
  const unsigned int count = marks.table.siteCount;
  ProfileSites sites = {count, 0};
  for (unsigned int row = 0; row < profileRows(marks.table); ++row) {
    const unsigned char* const used = marks.used + std::size_t{row} * count;
    const void* const first = __builtin_memchr(used, 1, count);
    if (first == nullptr) continue;
    const unsigned int lowest = static_cast<unsigned int>(static_cast<const unsigned char*>(first) - used);
    if (lowest < sites.first) sites.first = lowest;
    unsigned int end = count;
    while (end > sites.end && used[end - 1] == 0) --end;
    if (end > sites.end) sites.end = end;
  }
  return sites;
}

inline void takeSums(CuiProfile& profile, const ProfileSums* sums) {
  __builtin_memcpy(profile.sums, sums, 2 * sizeof *sums);
  format::countForAll(profile.sums[1]);
}

/// Not so where all that moved there was that a site's accesses follow no rule. Requests of constant memory
/// may be there without the others.
inline bool hasAny(const ProfileSums* sums) {
  return (sums[0].requests | sums[1].requests | sums[1].uselessBytes) != 0;
}

/// Hands on these sites of one replica of rows that follow each other.
inline bool takeProfilePieces(Device& device, const ProfileMarks& marks, const ProfileSites& sites,
                              unsigned int row, unsigned int rows, unsigned int replica) {
  const ProfileTable& table = marks.table;
  const std::size_t pieces = std::size_t{row} * (table.replicaMask + 1) + replica;
  const ProfileSums* const from = table.sums + (pieces * table.siteCount + sites.first) * 2;
  char* const staging = device.profileStaging + stagingBytes;
  if (!copyRowsFrom(device, staging, reinterpret_cast<const char*>(from), sites.bytes(),
                    profileRowBytes(table), rows) ||
      !finishOwnStream(device))
    return false;
  ProfileBatch batch(device);
  const ProfileSums* sums = reinterpret_cast<const ProfileSums*>(staging);
  for (unsigned int i = row; i < row + rows; ++i) {
    const ProfileOwner& owner = marks.owner(i, replica);
    const unsigned int launch = static_cast<unsigned int>(owner.launch);
    const bool single = launch == ~static_cast<unsigned int>(owner.inverse);
    for (unsigned int site = sites.first; site < sites.end; ++site, sums += 2)
      if (marks.uses(i, site) && hasAny(sums)) takeSums(batch.add(single ? launch : ~0ull, site), sums);
  }
  return true;
}

/// Takes what a table holds, and clears it: at once, since the driver may do that with a kernel, which takes
/// a number of the launches'.
inline bool takeProfile(Device& device, const ProfileTable& table) {
  if (!copyFrom(device, device.profileStaging, table.owners, profileMarkBytes(table)) ||
      !finishOwnStream(device))
    return false;
  const unsigned char* const staged = reinterpret_cast<const unsigned char*>(device.profileStaging);
  const ProfileMarks marks = {reinterpret_cast<const ProfileOwner*>(staged),
                              staged + profileOwnerBytes(table), table};
  const ProfileSites sites = usedSites(marks);
  if (sites.first >= sites.end) return true;
  const unsigned int rows = profileRows(table);
  const unsigned int most = static_cast<unsigned int>(stagingBytes / sites.bytes());
  unsigned int first = rows, last = 0;
  for (unsigned int replica = 0; replica <= table.replicaMask; ++replica)
    for (unsigned int row = 0; row < rows;) {
      unsigned int end = row;
      while (end < rows && end - row < most && marks.owner(end, replica).launch != 0) ++end;
      if (end == row) {
        ++row;
        continue;
      }
      if (!takeProfilePieces(device, marks, sites, row, end - row, replica)) return false;
      if (row < first) first = row;
      if (end > last) last = end;
      row = end;
    }
  if (first >= last) return true;
  const std::size_t replicas = table.replicaMask + 1, pieces = (last - first) * replicas;
  return clearRows(device, table.sums + (first * replicas * table.siteCount + sites.first) * 2, sites.bytes(),
                   profilePieceBytes(table), pieces) &&
         clearMemory(device, table.owners, profileMarkBytes(table)) && finishOwnStream(device);
}

/// Hands on one plane's entries, of warp slots or of their lanes: `width` of each of so many warp slots.
template <class Entry>
bool takeProfileEntries(Device& device, const Entry* first, std::size_t width, unsigned int warps) {
  const unsigned int step = static_cast<unsigned int>(stagingBytes / (width * sizeof(Entry)));
  char* const staging = device.profileStaging + stagingBytes;
  for (unsigned int begin = 0; begin < warps; begin += step) {
    const unsigned int some = begin + step < warps ? step : warps - begin;
    const Entry* const from = first + begin * profilePlanes * width;
    if (!copyRowsFrom(device, staging, reinterpret_cast<const char*>(from), width * sizeof(Entry),
                      profilePlanes * width * sizeof(Entry), some) ||
        !finishOwnStream(device))
      return false;
    ProfileBatch batch(device);
    const Entry* entry = reinterpret_cast<const Entry*>(staging);
    for (std::size_t i = 0; i < some * width; ++i, ++entry) {
      if (entry->key == 0) continue;
      const ProfileSums sums = sumsOf(*entry);
      if (sums.requests == 0) continue;  // all it says is that there is no rule
      CuiProfile& profile = batch.add(launchOf(entry->key), siteOf(entry->key));
      profile.sums[isShared(entry->key) ? 1 : 0] = sums;
      format::countForAll(profile.sums[1]);
    }
  }
  return true;
}

/// Of one plane of the warp slots' entries those of multiprocessors that use it, which are cleared. `used`:
/// ProfileSlots::planesUsed.
inline bool takeWarpsOfPlane(Device& device, const unsigned char* used, unsigned int plane) {
  const RecorderConstants& constants = device.contextCopy->constants;
  const unsigned int width = constants.warpsPerMultiprocessor, all = device.warpSlots / width;
  for (unsigned int first = 0, end = 0; first < all; first = end + 1) {
    for (end = first; end < all && used[end * profilePlanes + plane] != 0;) ++end;
    if (end == first) continue;
    ProfileEntry* const entries =
        constants.profile + (std::size_t{first} * width * profilePlanes + plane) * profileEntries;
    const unsigned int warps = (end - first) * width;
    if (!takeProfileEntries(device, entries, profileEntries, warps) ||
        !clearRows(device, entries, profileEntries * sizeof(ProfileEntry),
                   profilePlanes * profileEntries * sizeof(ProfileEntry), warps))
      return false;
  }
  return true;
}

/// Of one plane of the lanes' entries those of the warp slots that use it. `used`: ProfileSlots::lanesUsed.
inline bool takeLanesOfPlane(Device& device, const unsigned char* used, unsigned int plane, bool& any) {
  constexpr std::size_t ofWarp = std::size_t{32} * profileLaneEntries;
  const ProfileLaneEntry* const entries = device.contextCopy->constants.profileLanes + plane * ofWarp;
  const unsigned int warps = device.warpSlots;
  for (unsigned int warp = 0, end = 0; warp < warps; warp = end + 1) {
    for (end = warp; end < warps && used[end * profilePlanes + plane] != 0;) ++end;
    any |= end != warp;
    if (!takeProfileEntries(device, entries + warp * profilePlanes * ofWarp, ofWarp, end - warp))
      return false;
  }
  return true;
}

/// Takes what the warp slots hold, of the planes that are in use, and clears them.
inline bool takeProfileSlots(Device& device) {
  const ProfileSlots& slots = device.profileSlots;
  const std::size_t marks = lanesUsedBytes(device), allMarks = marks + planesUsedBytes(device);
  if (!copyFrom(device, device.profileStaging, slots.lanesUsed, allMarks) || !finishOwnStream(device))
    return false;
  const unsigned char* const used = reinterpret_cast<const unsigned char*>(device.profileStaging);
  bool lanes = false;
  for (unsigned int plane = 0; plane < profilePlanes; ++plane)
    if (!takeWarpsOfPlane(device, used + marks, plane) || !takeLanesOfPlane(device, used, plane, lanes))
      return false;
  const std::size_t laneBytes = marks * 32 * profileLaneEntries * sizeof(ProfileLaneEntry);
  return (!lanes || clearMemory(device, device.contextCopy->constants.profileLanes, laneBytes)) &&
         clearMemory(device, slots.lanesUsed, allMarks) && finishOwnStream(device);
}

/// Hands on all sums. Where kernels may still run, what they add meanwhile can be lost. False if that did not
/// work.
inline bool collectProfile(Device& device) {
  if (device.profile.sums == nullptr) return true;
  device.collectedNs = cuiNow();
  device.profiledLaunches = 0;
  for (unsigned int i = 0; i < device.oldProfileCount; ++i)
    if (!takeProfile(device, device.oldProfiles[i])) return false;
  if (!takeProfile(device, device.profile) || !takeProfileSlots(device)) return false;
  cuiProfile(device.ring.device, nullptr, 0);
  return true;
}

}  // namespace backend
}  // namespace cui
CUI_HOST_SIDE_END
