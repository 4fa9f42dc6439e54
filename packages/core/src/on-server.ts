/**
 * Whether this runs on a server: a process that lives on, has an end, and pays less for a longer program than for a
 * slower one. A constant, so that bundlers for edge runtimes and browsers leave out what is only for servers.
 */
export const ON_SERVER: boolean = true
