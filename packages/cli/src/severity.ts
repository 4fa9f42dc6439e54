/** `error`: it does not work. `warning`: it may not, or not all of it. `info`: it works, but is good to know. */
export type Severity = 'ok' | 'info' | 'warning' | 'error'
