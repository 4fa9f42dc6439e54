export const UNSET = 0
export const OK = 1
export const ERROR = 2
