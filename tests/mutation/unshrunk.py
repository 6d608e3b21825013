"""A plugin of pytest with which hypothesis reports what fails as it is: `-p tests.mutation.unshrunk`.

That a mutant is noticed is all there is to learn; looking for the smallest example takes a hundred times as long.
"""

from hypothesis import Phase, settings

# Whoever makes settings later inherits these.
settings.register_profile("unshrunk", phases=[Phase.explicit, Phase.generate])
settings.load_profile("unshrunk")
