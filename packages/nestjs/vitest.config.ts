import root from '../../vitest.config.ts'

/** `vitest run` in this folder, with the decorators and the sources of the whole repository. */
export default {
  oxc: root.oxc,
  resolve: root.resolve,
  ssr: root.ssr,
  test: { include: ['src/**/*.test.ts'] },
}
