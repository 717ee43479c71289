"""The largest numbers in a request: far above any machine, and far below an overflow."""

EXABYTE = 1e18
MOST_BYTES = EXABYTE
MOST_GIB = 1e9  # nearly an exabyte
MOST_FLOPS = 1e30  # the largest known training run took about 1e26
MOST_COUNT = 1e15  # parameters, samples, tokens
MOST_USD = 1e12
MOST_HOURS = 24 * 365.25 * 100  # a century
MOST_MILLISECONDS = 3.6e6 * 24  # a day
MOST_MINUTES = 60.0 * 24 * 365  # a year
MOST_PER_SECOND = 1e9
MOST_NODES = 10_000
MOST_VCPUS = 1e6
WHOLE = 1.0  # of shares
MOST_DEVICES = 1e5
MOST_GBPS = 1e6
MOST_LENGTH = 100_000_000  # tokens of a sequence, samples of a batch
MOST_LAYERS = 100_000
MOST_PIXELS = 100_000  # a side
MOST_DIMENSIONS = 3
MOST_TEXT = 200  # characters of a name
MOST_NAMES = 1_000
MOST_MACHINES = 100  # own machines, discounts, quotas, commitments
