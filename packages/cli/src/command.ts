/** One command of `svc`, as `svc --help` lists it. */
export interface CommandRow {
  readonly name: string
  /** What it does, in one line. */
  readonly summary: string
  /** What may follow the flags, as `--help` shows it: `[command...]`. */
  readonly operands?: string
  readonly flags?: readonly (readonly [flag: string, says: string])[]
  /** Text below the flags in `svc <name> --help`. */
  readonly more?: string
  /** The command reads everything after its name itself. */
  readonly readsItsOwnFlags?: boolean
  /** Loads the command when it runs, so that `svc --help` stays fast. */
  readonly load: () => Promise<{ readonly run: RunCommand }>
}

/** Commands under one name, as `svc migrate code` and `svc migrate env`. */
export interface CommandGroup {
  readonly name: string
  readonly summary: string
  readonly commands: readonly CommandRow[]
}

/**
 * Runs a command.
 *
 * @param operands what stands after the flags, or everything after the name of a command that reads its own flags
 * @param flags the values of its flags, by their names in camel case
 * @returns the exit code; undefined where the command goes on and ends by itself
 */
export type RunCommand = (
  operands: readonly string[],
  flags: Readonly<Record<string, unknown>>,
) => Promise<number | undefined>
