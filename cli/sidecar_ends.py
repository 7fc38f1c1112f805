"""How the process that asks a model ends: it judged, there was nothing for it, or it told why it cannot go on."""

DID, HAD_NOTHING, CANNOT = 0, 3, 4
