// What npm users get of @svc/register beside the code.
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../build.mjs'

const register = join(root, 'packages/register')

/**
 * Writes package.json, licences, declarations and pages to the folder `out`.
 *
 * @param modules the files whose code is in the bundle
 */
export function writePackageFiles(out, { entries, modules }) {
  writeManifest(out)
  writeFileSync(join(out, 'THIRD-PARTY-LICENSES.txt'), licencesOf(modules))
  for (const name of entries) copyTypes(out, 'register', `${name}.d.ts`)
  cpSync(join(register, 'node_modules/@opentelemetry/api/dist'), join(out, 'types/opentelemetry-api'), {
    recursive: true,
    filter: (path) => statSync(path).isDirectory() || path.endsWith('.d.cts'),
  })
  for (const file of ['README.md', 'LICENSE', 'CHANGELOG.md']) cpSync(join(register, file), join(out, file))
}

/** Copies a declaration and those that it imports, also from the packages that are bundled. @returns its new path */
function copyTypes(out, home, file, copied = new Set()) {
  const path = home === 'register' ? file : `${home}/${file}`
  if (copied.has(path)) return path
  copied.add(path)
  const up = '../'.repeat(path.split('/').length - 1) || './'
  const text = readFileSync(join(root, 'packages', home, 'cjs', file), 'utf8').replace(
    /^\/\/# sourceMappingURL.*$/m,
    '',
  )
  const imported = /(from |import\()(['"])(\.[^'"]*|@svc\/[^'"]*|@opentelemetry\/api)\2/g
  const own = text.replaceAll(imported, (_, before, quote, specifier) => {
    if (specifier === '@opentelemetry/api') return `${before}${quote}${up}opentelemetry-api/index.cjs${quote}`
    const [, name, entry = 'index'] = /^@svc\/([^/]+)(?:\/(.+))?$/.exec(specifier) ?? []
    const target = name ? `${entry}.d.ts` : join(dirname(file), specifier).replace(/\.ts$/, '.d.ts')
    return `${before}${quote}${up}${copyTypes(out, name ?? home, target, copied).replace(/\.d\.ts$/, '.js')}${quote}`
  })
  mkdirSync(join(out, 'types', dirname(path)), { recursive: true })
  writeFileSync(join(out, 'types', path), own)
  return path
}

/** The package.json of what is published, which depends on nothing. */
function writeManifest(out) {
  const manifest = JSON.parse(readFileSync(join(register, 'package.json'), 'utf8'))
  for (const field of ['dependencies', 'devDependencies', 'publishConfig', 'scripts']) delete manifest[field]
  const entry = (name) => ({ types: `./types/${name}.d.ts`, default: `./${name}.js` })
  const complete = {
    ...manifest,
    type: 'commonjs',
    main: './index.js',
    types: './types/index.d.ts',
    typesVersions: { '*': { start: ['./types/start.d.ts'], tool: ['./types/tool.d.ts'] } },
    exports: {
      '.': entry('index'),
      './start': entry('start'),
      './tool': entry('tool'),
      './package.json': './package.json',
    },
  }
  writeFileSync(join(out, 'package.json'), `${JSON.stringify(complete, undefined, 2)}\n`)
}

/** Whose code is in the bundle, with what its licence wants to be repeated. */
export function licencesOf(modules) {
  const folders = modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0] ?? [])
  const texts = [...new Set(folders)].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each))
    if (!file) throw new Error(`${name} is bundled and has no licence file`)
    return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
  })
  return texts.join(`\n${'-'.repeat(80)}\n\n`)
}
