"""Models that an installed Python package has as a GGUF file; they need no network."""

from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from generation.model_catalogue import Known
from generation.model_sources import NotFetched, Offer, OfferedFile
from generation.model_store import Kind
from generation.nlp.adapters import model_files
from generation.nlp.adapters.model_files import file_digest


@dataclass(frozen=True, slots=True)
class PackagedModel:
    """The GGUF file in an installed package; no code of the package is run."""

    known: Known

    @property
    def address(self) -> str:
        """The package and its version, as a package URL (https://github.com/package-url)."""
        return f"pkg:pypi/{self.known.package}@{self.known.version}"

    def offer(self) -> Offer:
        """Return the file, with its digest from the catalogue. Raises NotFetched."""
        if missing := model_files.missing_packages(model_files.NEEDED_FOR_GGUF):
            raise NotFetched(
                f"To read a GGUF file, {', '.join(missing)} must be installed: "
                "pip install -r requirements-neural.txt"
            )
        known, path = self.known, self._path()
        if not path.is_file():
            raise NotFetched(f"The file {path} is missing. {self._advice('--force-reinstall ')}")
        file = OfferedFile(path.name, path.stat().st_size, known.sha256)
        return Offer(Kind.TRANSFORMERS, self.address, known.version, known.licence, (file,))

    def bring(self, offer: Offer, folder: Path) -> dict[str, str]:
        """Verify the file's digest, and write the model and its tokeniser into the folder.

        Returns the SHA-256 of the GGUF file. Raises NotFetched, or OSError if a file cannot be
        written.
        """
        path, (file,) = self._path(), offer.files
        if file_digest(path) != file.sha256:
            raise NotFetched(
                f"{path} is not the file that its makers published. "
                f"{self._advice('--force-reinstall ')}"
            )
        try:
            model_files.unpack_gguf(path, folder)
        except (KeyError, NotImplementedError, RuntimeError, ValueError) as error:
            raise NotFetched(f"{path} cannot be rewritten as safetensors: {error}") from error
        return {file.name: file.sha256}

    def _path(self) -> Path:
        return Path(str(self._installed().locate_file(self.known.file)))

    def _installed(self) -> Distribution:
        try:
            found = distribution(self.known.package)
        except PackageNotFoundError as error:
            raise NotFetched(
                f"The package {self.known.package}, which has this model, is not installed. "
                f"{self._advice()}"
            ) from error
        if found.version != self.known.version:
            raise NotFetched(
                f"{self.known.package} is installed in version {found.version}; Pawsmith knows the "
                f"model of version {self.known.version}. {self._advice()}"
            )
        return found

    def _advice(self, options: str = "") -> str:
        package = f"{self.known.package}=={self.known.version}"
        return f"Install it: pip install {options}--no-deps {package}"
