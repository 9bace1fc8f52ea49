// How an argument is read whose value is left open: like a result with its bounds, of no node.

/**
 * The node that an open value is read as coming from. No plan has a node of this name (ids begin with a
 * letter or a digit), so a planner can neither write such a value nor refer to it.
 */
export const openNode = '*'
