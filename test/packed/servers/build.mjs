// Bundles app.js: `node build.mjs <bundler> <esm or cjs> <file> [external packages]`.
const [bundler, format, file, ...external] = process.argv.slice(2)

/** webpack, as Nest's program uses it, and Rspack, which has the same options. */
async function pack(run) {
  const output = { path: import.meta.dirname, filename: file }
  const externals = Object.fromEntries(external.map((name) => [name, `commonjs ${name}`]))
  const options = {
    mode: 'none',
    target: 'node',
    entry: './app.js',
    context: import.meta.dirname,
    output,
    externals,
  }
  const stats = await new Promise((resolve, reject) => {
    run(options, (error, result) => (error ? reject(error) : resolve(result)))
  })
  if (stats.hasErrors() || stats.hasWarnings()) throw new Error(stats.toString('errors-warnings'))
}

const BUNDLERS = {
  async esbuild() {
    const { build } = await import('esbuild')
    const options = { entryPoints: ['app.js'], outfile: file, bundle: true, platform: 'node', format, external }
    await build({ ...options, minify: format === 'cjs' })
  },
  async tsup() {
    const { build } = await import('tsup')
    const [name, extension] = file.split(/(?=\.)/)
    const options = { entry: { [name]: 'app.js' }, outDir: '.', outExtension: () => ({ js: extension }), format }
    await build({ ...options, noExternal: [/./], external, silent: true, config: false, platform: 'node' })
  },
  async vite() {
    const { build } = await import('vite')
    const output = { format, entryFileNames: file }
    const options = { ssr: 'app.js', outDir: '.', emptyOutDir: false, rolldownOptions: { output } }
    await build({ logLevel: 'warn', configFile: false, build: options, ssr: { noExternal: true, external } })
  },
  async rollup() {
    const { rollup } = await import('rollup')
    const { nodeResolve } = await import('@rollup/plugin-node-resolve')
    const { default: commonjs } = await import('@rollup/plugin-commonjs')
    const plugins = [nodeResolve({ exportConditions: ['node'] }), commonjs()]
    const bundle = await rollup({ input: 'app.js', external, plugins })
    await bundle.write({ file, format, inlineDynamicImports: true })
  },
  webpack: async () => pack((await import('webpack')).default),
  rspack: async () => pack((await import('@rspack/core')).rspack),
}

await BUNDLERS[bundler]()
