import { warnOnce } from '@svc/core/log'
import { readSettings } from '@svc/core/setting'
import { exportSettings } from '@svc/core/settings'

type Fields = Readonly<Record<string, unknown>>

/** Whether an option has the value that it was started with. */
type IsSame = (name: string, value: unknown) => boolean

/** Reports options that are settled when tracing starts and now have another value. */
export function reportSettled(attached: Fields, isSame: IsSame): void {
  for (const [name, value] of Object.entries(attached)) {
    if (value === undefined || isSame(name, value)) continue
    warnOnce(`option ${name} comes too late and is ignored: tracing has started. Set it there.`)
  }
}

/**
 * Compares options with those of a processor, and with the settings that were read from them: a second application of
 * the process may give the same ones again.
 */
export function sameAs(attached: Fields, params: object, settings: Fields): IsSame {
  const given: Fields = readSettings(exportSettings, attached, () => undefined, Boolean)
  return (name, value) =>
    value === (params as Fields)[name] ||
    (name in given && JSON.stringify(given[name]) === JSON.stringify(settings[name]))
}
