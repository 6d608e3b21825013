"""The rulebook's guides, in our own words: they stand beside the fields in which one chooses."""

from msgspec import Meta

TN_GUIDE = Meta(description="11 is challenging, 16 hard, 21 near impossible.")
DV_GUIDE = Meta(description="1 is a minor hit, 2 a standard one, 3 a heavy one, 4 and more are devastating.")
LEVELS_GUIDE = Meta(description="1 level is minor harm, 2 are standard, 3 heavy, 4 and more devastating.")
ATTRIBUTE_GUIDE = Meta(
    description="Body is for physical feats, Mind for technical and mental ones, Ghost for people and stealth."
)
BODY_BINDING = Meta(description="Its weight and bulk, the power it draws, and what it does to the flesh.")
MIND_BINDING = Meta(description="The attention and the thought that it takes, and how intricate its interface is.")
GHOST_BINDING = Meta(
    description="The composure it takes, stealth and social systems to keep up, deep neural links, humanity left."
)
MODE_GUIDE = Meta(
    description="Narrative: talk, such as a deal over noodles. Montage: a week of legwork in one roll. Action: a "
    "chase that moves clocks. Bullet: a firefight, shot by shot."
)
