import type { CommandGroup, CommandRow } from './command.ts'

/** The commands of `svc`. A new one is a row here and the module that it loads. */
export const COMMANDS: readonly (CommandRow | CommandGroup)[] = [
  {
    name: 'doctor',
    summary: 'Find out why no traces arrive from the app in this folder',
    operands: '[command...]',
    flags: [
      ['--json', 'print the findings as JSON'],
      ['--offline', 'only look: no request leaves this machine'],
    ],
    more: `
With a command after --, the app is started with the preload, and the report says what became of its spans:

  svc doctor -- node app.js

Exit code 1 when something stands in the way of traces, 2 when a flag makes no sense.`,
    load: () => import('./doctor/command.ts'),
  },
  {
    name: 'local',
    summary: 'Run the service on this machine (svc local --help has its flags)',
    readsItsOwnFlags: true,
    load: () => import('./local.ts'),
  },
]
