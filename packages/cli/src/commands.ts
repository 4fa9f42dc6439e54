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
    name: 'migrate',
    summary: 'Move an app to version 6',
    commands: [
      {
        name: 'code',
        summary: 'Rewrite TypeScript and JavaScript of version 5 to version 6',
        operands: '[dir]',
        flags: [
          ['--check', 'for CI: write nothing, exit code 1 when something is left'],
          ['--dry-run', 'write nothing, print what would change as a diff'],
          ['--yes', 'do not ask'],
          ['--force', 'also where git has changes, or where there is no git'],
        ],
        more: `
What has one answer is rewritten, package.json included. The rest is listed with file, line and reason, and with the place
in docs/migrating-from-v5.md. What is not touched stays byte for byte.`,
        load: () => import('./migrate/code.ts'),
      },
    ],
  },
  {
    name: 'local',
    summary: 'Run the service on this machine (svc local --help has its flags)',
    readsItsOwnFlags: true,
    load: () => import('./local.ts'),
  },
]
