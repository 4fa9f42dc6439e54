import { hostVariables } from '@svc/core/environment'

const PRELOADING = /^(?:--import|--require|-r)(?:=|$)/

/** Whether Node was started with another preload besides ours. */
export function hasOtherPreload(flags: readonly string[] = process.execArgv): boolean {
  return flags.filter((flag) => PRELOADING.test(flag)).length > 1
}

/** Whether Node was started with a preload. Without one, the application has imported svc itself. */
export const hasPreload = () => allFlags().some((flag) => PRELOADING.test(flag))

/** The flags of Node, with those in `NODE_OPTIONS`. */
export function allFlags({ NODE_OPTIONS: options } = hostVariables()): readonly string[] {
  return [...process.execArgv, ...(options?.split(/\s+/) ?? [])]
}
