#include "driver/chevron_files.h"

#include <llvm/Support/MemoryBuffer.h>

#include "edit/chevrons.h"

namespace cui::driver {
namespace {

namespace vfs = llvm::vfs;
using Written = std::map<const char*, std::string>;

class JoinedFile : public vfs::File {
 public:
  JoinedFile(std::unique_ptr<vfs::File> file, Written& written) : file_(std::move(file)), written_(written) {}

  llvm::ErrorOr<vfs::Status> status() override { return file_->status(); }
  llvm::ErrorOr<std::string> getName() override { return file_->getName(); }
  std::error_code close() override { return file_->close(); }
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> getBuffer(const llvm::Twine& name, std::int64_t size,
                                                               bool terminated, bool isVolatile) override {
    auto buffer = file_->getBuffer(name, size, terminated, isVolatile);
    if (!buffer) return buffer;
    const llvm::StringRef text = (*buffer)->getBuffer();
    const std::string joined = edit::joinChevrons(std::string_view(text.data(), text.size()));
    if (joined.empty()) return buffer;
    auto copy = llvm::MemoryBuffer::getMemBufferCopy(joined, (*buffer)->getBufferIdentifier());
    written_[copy->getBufferStart()] = text.str();
    return copy;
  }

 private:
  std::unique_ptr<vfs::File> file_;
  Written& written_;
};

class Joining : public vfs::ProxyFileSystem {
 public:
  Joining(llvm::IntrusiveRefCntPtr<vfs::FileSystem> files, Written& written)
      : ProxyFileSystem(std::move(files)), written_(written) {}

  llvm::ErrorOr<std::unique_ptr<vfs::File>> openFileForRead(const llvm::Twine& path) override {
    auto file = ProxyFileSystem::openFileForRead(path);
    if (!file) return file;
    return std::make_unique<JoinedFile>(std::move(*file), written_);
  }

 private:
  Written& written_;
};

}  // namespace

llvm::IntrusiveRefCntPtr<vfs::FileSystem> joiningChevrons(llvm::IntrusiveRefCntPtr<vfs::FileSystem> files,
                                                          Written& written) {
  return llvm::makeIntrusiveRefCnt<Joining>(std::move(files), written);
}

}  // namespace cui::driver
