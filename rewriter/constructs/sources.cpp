#include "constructs/sources.h"

#include <filesystem>

#include "edit/chevrons.h"

namespace cui::constructs {

std::string absolutePath(llvm::StringRef path) {
  std::error_code ignored;
  return std::filesystem::absolute(path.str(), ignored).lexically_normal().string();
}

bool Sources::find(clang::FileID id, FileIndex& index) {
  if (const auto known = byId_.find(id.getHashValue()); known != byId_.end()) {
    index = known->second;
    return true;
  }
  const auto entry = manager_.getFileEntryRefForID(id);
  if (!entry) return false;
  const auto [place, fresh] =
      byEntry_.try_emplace(&entry->getFileEntry(), static_cast<FileIndex>(files_.size()));
  index = byId_[id.getHashValue()] = place->second;
  if (!fresh) return true;

  SourceFile file;
  file.path = entry->getName().str();
  while (file.path.compare(0, 2, "./") == 0) file.path.erase(0, 2);
  file.absolute = absolutePath(entry->getName());
  file.text = manager_.getBufferData(id);
  if (const auto original = written_.find(file.text.data()); original != written_.end()) {
    file.text = original->second;
    file.joined = true;
  }
  file.id = id;
  file.main = id == manager_.getMainFileID();
  const bool system =
      clang::SrcMgr::isSystem(manager_.getFileCharacteristic(manager_.getLocForStartOfFile(id)));
  file.user = file.main || (!system && policy_.user(file.absolute));
  file.wanted = file.user && policy_.wanted(file.absolute);
  files_.push_back({std::move(file), nullptr, {}});
  return true;
}

bool Sources::find(const clang::FileEntry* entry, FileIndex& index) const {
  const auto known = byEntry_.find(entry);
  if (known == byEntry_.end()) return false;
  index = known->second;
  return true;
}

const edit::TokenIndex& Sources::tokens(FileIndex index) {
  auto& entry = files_[index];
  if (!entry.tokens)
    entry.tokens =
        std::make_unique<edit::TokenIndex>(std::string_view(entry.file.text.data(), entry.file.text.size()));
  return *entry.tokens;
}

void Sources::exclude(FileIndex index, unsigned begin, unsigned end, std::string reason) {
  files_[index].exclusions.push_back({begin, end, std::move(reason)});
}

std::string Sources::whyExcluded(FileIndex index, unsigned begin, unsigned end) const {
  for (const Entry::Exclusion& excluded : files_[index].exclusions)
    if (begin < excluded.end && excluded.begin < end) return excluded.reason;
  return "";
}

unsigned Sources::beginOfToken(FileIndex index, unsigned offset) const {
  const llvm::StringRef text = files_[index].file.text;
  for (llvm::StringRef rest = text.substr(offset);
       rest.consume_front("\\\n") || rest.consume_front("\\\r\n");)
    offset = static_cast<unsigned>(text.size() - rest.size());
  return offset;
}

unsigned Sources::endOfToken(FileIndex index, unsigned offset, unsigned length) const {
  const SourceFile& file = files_[index].file;
  const bool bracket = file.joined && length == 3 && (file.text[offset] == '<' || file.text[offset] == '>');
  return bracket ? static_cast<unsigned>(
                       edit::endOfChevron(std::string_view(file.text.data(), file.text.size()), offset))
                 : offset + length;
}

unsigned Sources::offset(FileIndex index, unsigned line) const {
  const llvm::StringRef text = files_[index].file.text;
  std::size_t offset = 0;
  for (; line > 1 && offset != llvm::StringRef::npos; --line)
    if ((offset = text.find('\n', offset)) != llvm::StringRef::npos) ++offset;
  return static_cast<unsigned>(std::min(offset, text.size()));
}

unsigned Sources::line(FileIndex index, unsigned offset) const {
  return manager_.getLineNumber(files_[index].file.id, offset);
}
unsigned Sources::column(FileIndex index, unsigned offset) const {
  return manager_.getColumnNumber(files_[index].file.id, offset);
}

}  // namespace cui::constructs
