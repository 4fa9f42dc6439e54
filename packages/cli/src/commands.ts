import type { CommandGroup, CommandRow } from './command.ts'

const PROMPT_FOLDER = ['--dir <folder>', 'where the files are (default: prompts)'] as const

/** The commands of `svc`. A new command is a row here and the module that it loads. */
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
    summary: 'Move an app to version 6, and datasets of another platform in',
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
      {
        name: 'env',
        summary: 'List variables that are left over, with their replacements',
        operands: '[dir]',
        flags: [
          ['--check', 'for CI: write nothing, exit code 1 when something is left'],
          ['--write', 'rename variables that have another name here, and comment out the others in .env files'],
        ],
        more: `
Reads .env files, compose files, Dockerfiles and CI files. No value is printed.`,
        load: () => import('./migrate/env.ts'),
      },
      {
        name: 'datasets',
        summary: 'Bring datasets of another platform into the project of SVC_PUBLIC_KEY',
        flags: [
          ['--from <url>', 'the API that they come from, with its region'],
          ['--dataset <id...>', 'which dataset; several, or --all'],
          ['--as <name...>', 'its name in the service (its id)'],
          ['--all', 'all datasets that the key can read, by their names'],
          ['--map <file>', 'a module with a mapping: export default (row) => ({ input, expectedOutput, metadata })'],
          ['--dry-run', 'show three items of each, and write nothing'],
          ['--restart', 'begin again, where an earlier run was stopped'],
          ['--concurrency <n>', 'items written at the same time (8)'],
        ],
        more: `
The key of that platform is SOURCE_API_KEY. What was stopped, or fell over, goes on where it stood: .svc-migrate in this
folder says how far it came.

Exit code 1 when something stands in the way or the counts differ, 2 when a flag makes no sense.`,
        load: () => import('./migrate/datasets.ts'),
      },
    ],
  },
  {
    name: 'prompts',
    summary: 'Keep prompts of the service as files of the project',
    commands: [
      {
        name: 'pull',
        summary: 'Write prompts of the service into files: those that are kept here already, or at first all',
        operands: '[name...]',
        flags: [
          PROMPT_FOLDER,
          ['--label <label>', 'the version with this label (default: as before, at first production)'],
          ['--all', 'all prompts that have the label'],
          ['--force', 'replace files that were changed here'],
        ],
        load: () => import('./prompts/pull.ts'),
      },
      {
        name: 'push',
        summary: 'Store files that were changed as new versions, with the labels in them',
        operands: '[name...]',
        flags: [
          PROMPT_FOLDER,
          ['-m, --message <text>', 'what was changed, for those who look at the versions'],
          ['--dry-run', 'only say what would be stored'],
          ['--force', 'also where the service has a newer version'],
        ],
        load: () => import('./prompts/push.ts'),
      },
      {
        name: 'check',
        summary: 'For CI: end with 1 and a diff where files, lock file, types and service do not agree',
        flags: [PROMPT_FOLDER, ['--offline', 'without the service: files, lock file and types']],
        load: () => import('./prompts/check.ts'),
      },
      {
        name: 'types',
        summary: 'Write the module with the types anew, after a file was changed',
        flags: [PROMPT_FOLDER],
        load: () => import('./prompts/types.ts'),
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
