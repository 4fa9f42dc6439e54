export const NONE = 0
export const SAMPLED = 1
