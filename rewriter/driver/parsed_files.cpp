#include "driver/parsed_files.h"

#include <llvm/Support/MemoryBuffer.h>

#include "edit/asm_operands.h"
#include "edit/backslashes.h"
#include "edit/chevrons.h"
#include "edit/linkage.h"
#include "edit/pragma_macros.h"

namespace cui::driver {
namespace {

namespace vfs = llvm::vfs;
using Written = std::map<const char*, std::string>;

class ParsedFile : public vfs::File {
 public:
  ParsedFile(std::unique_ptr<vfs::File> file, const OtherWords& words, Written& written)
      : file_(std::move(file)), words_(words), written_(written) {}

  llvm::ErrorOr<vfs::Status> status() override { return file_->status(); }
  llvm::ErrorOr<std::string> getName() override { return file_->getName(); }
  std::error_code close() override { return file_->close(); }
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> getBuffer(const llvm::Twine& name, std::int64_t size,
                                                               bool terminated, bool isVolatile) override {
    auto buffer = file_->getBuffer(name, size, terminated, isVolatile);
    if (!buffer) return buffer;
    const llvm::StringRef text = (*buffer)->getBuffer();
    const std::string_view original(text.data(), text.size());
    std::string changed;
    for (const auto& change : {edit::joinChevrons, edit::blankPragmaMacros, edit::partLinkage,
                               edit::partAsmOperands, edit::blankBackslashes})
      if (std::string next = change(changed.empty() ? original : changed); !next.empty())
        changed = std::move(next);
    if (const auto status = file_->status(); status && !words_.empty())
      if (const auto offsets = words_.find(status->getUniqueID()); offsets != words_.end()) {
        if (changed.empty()) changed = text.str();
        replaceWords(changed, offsets->second);
      }
    if (changed.empty()) return buffer;
    auto copy = llvm::MemoryBuffer::getMemBufferCopy(changed, (*buffer)->getBufferIdentifier());
    written_[copy->getBufferStart()] = text.str();
    return copy;
  }

 private:
  std::unique_ptr<vfs::File> file_;
  const OtherWords& words_;
  Written& written_;
};

class ParsedFiles : public vfs::ProxyFileSystem {
 public:
  ParsedFiles(llvm::IntrusiveRefCntPtr<vfs::FileSystem> files, const OtherWords& words, Written& written)
      : ProxyFileSystem(std::move(files)), words_(words), written_(written) {}

  llvm::ErrorOr<std::unique_ptr<vfs::File>> openFileForRead(const llvm::Twine& path) override {
    auto file = ProxyFileSystem::openFileForRead(path);
    if (!file) return file;
    return std::make_unique<ParsedFile>(std::move(*file), words_, written_);
  }

 private:
  const OtherWords& words_;
  Written& written_;
};

}  // namespace

llvm::IntrusiveRefCntPtr<vfs::FileSystem> parsedFiles(llvm::IntrusiveRefCntPtr<vfs::FileSystem> files,
                                                      const OtherWords& words, Written& written) {
  return llvm::makeIntrusiveRefCnt<ParsedFiles>(std::move(files), words, written);
}

}  // namespace cui::driver
