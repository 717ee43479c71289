"""The service's table of networks is the one that the counts give."""

from networks.write import FILE, GROUPS, table

from plimsoll_service.evidence.measurement import rows_of
from plimsoll_service.evidence.models import network_of


def test_the_table_is_the_written_one() -> None:
    """``make networks`` would change nothing."""
    assert FILE.read_text(encoding="utf-8") == table()


def test_every_figure_of_a_network_is_read_as_it_was_counted() -> None:
    """No figure is rounded or lost on its way through the table."""
    counted = [network for networks in GROUPS.values() for network in networks]

    assert counted == [network_of(row) for row in rows_of(FILE)]
