// The types of the package do not fit its exports.
declare module 'temml' {
  interface Options {
    readonly displayMode?: boolean
    readonly throwOnError?: boolean
    readonly trust?: boolean
  }
  const temml: { render(expression: string, place: HTMLElement, options: Options): void }
  export default temml
}
