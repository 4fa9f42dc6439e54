/**
 * Rewrites one value before it leaves the process, at once or with a promise. `data` is the stored text of an input
 * or output, or the decoded value of one metadata key (string, number, boolean, array, object).
 */
// biome-ignore lint/suspicious/noExplicitAny: masks written for v5, where data was always a string, keep compiling.
export type MaskFunction = (params: { data: any }) => unknown
