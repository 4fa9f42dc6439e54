// The app with nothing added.
export function register() {}

export const wrap = (_name, handler) => handler
