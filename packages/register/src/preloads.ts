const PRELOADING = /^(?:--import|--require|-r)(?:=|$)/

/** Whether Node was started with another preload besides ours. */
export function hasOtherPreload(flags: readonly string[] = process.execArgv): boolean {
  return flags.filter((flag) => PRELOADING.test(flag)).length > 1
}
