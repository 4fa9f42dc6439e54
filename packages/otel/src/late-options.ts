import { warnOnce } from '@svc/core/log'
import { readSettings, type SettingTable } from '@svc/core/setting'

type Fields = Readonly<Record<string, unknown>>

/** What a processor was made with: its options, and the settings that were read from them by `rows`. */
interface Made {
  readonly params: object
  readonly settings: Fields
  readonly rows: SettingTable
}

/** Whether an option has the value that it was started with. */
type IsSame = (name: string, value: unknown) => boolean

/** Reports options that are settled when tracing starts and now have another value. */
export function reportLate(late: Fields, isSame: IsSame): void {
  for (const [name, value] of Object.entries(late)) {
    if (value === undefined || isSame(name, value)) continue
    warnOnce(`option ${name} comes too late and is ignored: tracing has started. Set it there.`)
  }
}

/** A second application of the process may give the same options again, also in another form. */
export function sameAs(late: Fields, { params, settings, rows }: Made): IsSame {
  const given = readSettings(rows, late, () => undefined, Boolean)
  return (name, value) =>
    value === (params as Fields)[name] ||
    (name in rows && JSON.stringify(given[name]) === JSON.stringify(settings[name]))
}
