// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/formulas/training_volume.h"

/// A common public guess at a GPT-4-class mixture, 16 experts with 2 active: assumed, not published.
inline hw::sim::TransformerModel mixture1800B()
{
    hw::sim::TransformerModel m;
    m.name = "1.8T mixture of experts (assumed)";
    m.layers = 120;
    m.hidden = 10752;
    m.heads = 96;
    m.feedForward = 43008;
    m.vocabulary = 100352;
    m.sequence = 8192;
    m.experts = 16;
    m.topK = 2;
    m.learnedPositions = false;
    return m;
}
