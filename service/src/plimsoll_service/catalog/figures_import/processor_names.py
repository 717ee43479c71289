"""Names of processors: what a machine calls its processor, and which vendor and microarchitecture that is."""

from __future__ import annotations

import re

from plimsoll_service.catalog.figures_import.gathered import Gathered

# Names that machines report, and the name that a reader knows: trade names, and one processor spelt twice.
RENAMED = {
    "Intel Xeon Platinum 8269CY T 3.10GHz": "Intel Xeon Platinum 8269CY",
    "Cortex-A72": "AWS Graviton",
    "Neoverse-N1": "Ampere Altra",
    "Neoverse-N3": "Google Axion N4A",
}
# Names that a hypervisor made up: nobody can tell which processor stands behind them.
MADE_UP = re.compile(r"(Core |Xeon |EPYC-\w+ )Processor( |$)|^AMD EPYC$")
UNNAMED_XEON = re.compile(r"^Intel Xeon( \(unnamed\)| Platinum)?$")
# Second-level cache per core (MiB) of the Xeon generations: it tells apart those that hide their model.
UNNAMED_BY_CACHE = (
    (0.25, "Intel Xeon (Broadwell or Haswell)"),
    (1.0, "Intel Xeon (Skylake or Cascade Lake)"),
    (1.25, "Intel Xeon (Ice Lake)"),
    (2.0, "Intel Xeon (Sapphire Rapids or Emerald Rapids)"),
)

# The first pattern that matches a name says its vendor and microarchitecture.
MICROARCHITECTURES = (
    (r"^Intel Xeon E5-\d+ 0$", "Intel", "Sandy Bridge"),
    (r"^Intel Xeon E\d-\d+ v2$", "Intel", "Ivy Bridge"),
    (r"^Intel Xeon E\d-\d+B? v3$", "Intel", "Haswell"),
    (r"^Intel Xeon E5-\d+ v4$|\(Broadwell", "Intel", "Broadwell"),
    (r"^Intel Xeon E3-\d+ v6$", "Intel", "Kaby Lake"),
    (r"^Intel Xeon E-2[12]\d\dG$", "Intel", "Coffee Lake"),
    (r"^Intel Xeon E-23\d\dG$", "Intel", "Rocket Lake"),
    (r"^Intel Xeon (Platinum|Gold|Silver) \d1\d\d|\(Skylake\)", "Intel", "Skylake"),
    (r"^Intel Xeon Platinum 8223CL", "Intel", "Skylake"),
    (r"^Intel Xeon (Platinum|Gold|Silver) \d2\d\d|W-32\d\d|\(Cascade Lake\)", "Intel", "Cascade Lake"),
    (r"^Intel Xeon Platinum 8369H", "Intel", "Cooper Lake"),
    (r"^Intel Xeon Platinum 83\d\d|\(Ice Lake\)", "Intel", "Ice Lake"),
    (r"^Intel Xeon (Platinum|Gold) \d4\d\d|\(Sapphire", "Intel", "Sapphire Rapids"),
    (r"^Intel Xeon (Platinum|Gold) \d5\d\d", "Intel", "Emerald Rapids"),
    (r"^Intel Xeon 69\d\dP", "Intel", "Granite Rapids"),
    (r"^AMD EPYC (7551|7571)$", "AMD", "Zen"),
    (r"^AMD EPYC (7452|7542|7H12|7R32|7B12)$", "AMD", "Zen 2"),
    (r"^AMD EPYC 7", "AMD", "Zen 3"),
    (r"^AMD EPYC (4[23]45P|9255|9575F|9R05|9R45|9B45|9V45)$", "AMD", "Zen 5"),
    (r"^AMD EPYC 9", "AMD", "Zen 4"),
    (r"^AWS Graviton$", "AWS", "Cortex-A72"),
    (r"^AWS Graviton2$", "AWS", "Neoverse N1"),
    (r"^AWS Graviton3E?$", "AWS", "Neoverse V1"),
    (r"^AWS Graviton4$", "AWS", "Neoverse V2"),
    (r"^AWS Graviton5$", "AWS", "Neoverse V3"),
    (r"^Alibaba Yitian 710$", "Alibaba", "Neoverse N2"),
    (r"^Ampere Altra$", "Ampere", "Neoverse N1"),
    (r"^Azure Cobalt 100$", "Microsoft", "Neoverse N2"),
    (r"^Google Axion N4A$", "Google", "Neoverse N3"),
    (r"^Google Axion$", "Google", "Neoverse V2"),
)


def processor_name(row: Gathered) -> str | None:
    """The processor of a measured row; ``None`` where the machine hides what it is."""
    name = row["cpu"]
    if UNNAMED_XEON.match(name):
        return _unnamed(row)
    if MADE_UP.search(name):
        return None
    return RENAMED.get(name, name)


def _unnamed(row: Gathered) -> str | None:
    cache, sockets, cores = row.number("l2_mib"), row.number("sockets"), row.number("cores_per_socket")
    if not cache or not sockets or not cores:
        return None
    per_core = cache / (sockets * cores)
    size, name = min(UNNAMED_BY_CACHE, key=lambda known: abs(known[0] - per_core))
    if size != 1.0:
        return name
    # Of the two with 1 MiB only the younger has the neural-network instructions.
    return "Intel Xeon (Cascade Lake)" if "avx512_vnni" in row["features"] else "Intel Xeon (Skylake)"


def described(name: str) -> tuple[str, str] | None:
    """Vendor and microarchitecture of a processor; ``None`` where no pattern knows it."""
    for pattern, vendor, microarchitecture in MICROARCHITECTURES:
        if re.search(pattern, name):
            return vendor, microarchitecture
    return None
