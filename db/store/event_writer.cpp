// See event_writer.h.
#include "db/store/event_writer.h"

#include <utility>

#include "db/store/values.h"

namespace cui::db {

namespace {

const char* directionName(int direction) {
  static constexpr const char* names[] = {"host_to_host", "host_to_device", "device_to_host",
                                          "device_to_device", "default"};
  if (direction < 0) return "set";
  return direction < 5 ? names[direction] : "default";
}

}  // namespace

EventWriter::EventWriter(Database& database)
    : database_(database),
      addAllocation_(
          "INSERT INTO allocation(api, address, bytes, name, type, element_bytes, space, file, line, "
          "allocated_ns, pitch, device_id, caller, column, process_id) "
          "VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,(SELECT process_id FROM process))"),
      setFreed_(
          "UPDATE allocation SET freed_ns = ?, freed_api = ? WHERE allocation_id = "
          "(SELECT max(allocation_id) FROM allocation WHERE address = ? AND freed_ns IS NULL)"),
      nameAllocation_(
          "UPDATE allocation SET name = ?, type = ?, element_bytes = ?, file = ?, line = ?, caller = ?, "
          "column = ? WHERE allocation_id = "
          "(SELECT max(allocation_id) FROM allocation WHERE address = ? AND freed_ns IS NULL)"),
      addMemoryOperation_(
          "INSERT INTO memory_operation(api, direction, destination, source, bytes, device_id, stream_id, "
          "begin_ns, end_ns, error, caller, file, line, column, process_id) "
          "VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,(SELECT process_id FROM process))"),
      addSynchronization_(
          "INSERT INTO synchronization(api, device_id, stream_id, begin_ns, end_ns, error, caller, file, "
          "line, column, process_id) VALUES(?,?,?,?,?,?,?,?,?,?,(SELECT process_id FROM process))"),
      beginPhase_(
          "INSERT INTO phase(phase_id, parent_id, name, begin_ns, process_id) "
          "VALUES(?,nullif(?,0),?,?,(SELECT process_id FROM process))"),
      endPhase_("UPDATE phase SET end_ns = ? WHERE phase_id = ?") {}

std::uint64_t EventWriter::write(const std::vector<EventValues>& events) {
  for (const EventValues& event : events) std::visit([this](const auto& values) { on(values); }, event);
  return std::exchange(unknownFrees_, 0);
}

void EventWriter::on(const AllocationValues& a) {
  addAllocation_.run(database_, a.api, a.address, a.bytes, a.name, a.type, a.elementBytes, nameOf(a.space),
                     a.position->file, a.position->line, a.timeNs, a.pitch, a.device, a.caller,
                     a.position->column);
}

void EventWriter::on(const FreedValues& freed) {
  setFreed_.run(database_, freed.timeNs, freed.api, freed.address);
  if (sqlite3_changes(database_.handle()) == 0) ++unknownFrees_;
}

void EventWriter::on(const NamedValues& named) {
  const CallInfo& call = *named.call;
  nameAllocation_.run(database_, call.variable, call.type, call.elementBytes, call.position.file,
                      call.position.line, call.caller, call.position.column, named.address);
}

void EventWriter::on(const MemoryOperationValues& operation) {
  const MemoryOperationRow& row = operation.row;
  const CallInfo& call = *operation.call;
  addMemoryOperation_.run(database_, operation.api, directionName(row.direction), row.destination, row.source,
                          row.bytes, row.device, row.stream, row.beginNs, row.endNs, row.error, call.caller,
                          call.position.file, call.position.line, call.position.column);
}

void EventWriter::on(const SynchronizationValues& synchronization) {
  const SynchronizationRow& row = synchronization.row;
  const CallInfo& call = *synchronization.call;
  addSynchronization_.run(database_, synchronization.api, row.device, row.stream, row.beginNs, row.endNs,
                          row.error, call.caller, call.position.file, call.position.line,
                          call.position.column);
}

void EventWriter::on(const PhaseValues& phase) {
  beginPhase_.run(database_, phase.id, phase.parent, phase.name, phase.beginNs);
}

void EventWriter::on(const PhaseEndValues& phase) {
  endPhase_.run(database_, phase.endNs, phase.id);
}

}  // namespace cui::db
