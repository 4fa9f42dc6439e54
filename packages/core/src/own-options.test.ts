import { expect, it } from 'vitest'
import { ownOptions } from './own-options.ts'

it('what the class of options says is one of them', () => {
  class Base {
    get baseUrl() {
      return `http://${this.host}`
    }
    readonly host: string = 'base'
  }
  class Options extends Base {
    override readonly host = 'own'
    mask() {
      return this.host
    }
  }
  const { baseUrl, host, mask, constructor: type } = ownOptions(new Options())
  expect({ baseUrl, host, mask, type }).toEqual({
    baseUrl: 'http://own',
    host: 'own',
    mask: Options.prototype.mask,
    type: undefined,
  })
})

it('what a merge of JSON has made their prototype is none of them', () => {
  const merged = Object.assign({}, JSON.parse('{"host":"own","__proto__":{"baseUrl":"http://thief","constructor":{}}}'))
  expect({ ...ownOptions(merged) }).toEqual({ host: 'own' })
  expect({ ...ownOptions(Object.create({ baseUrl: 'http://thief' })) }).toEqual({})
})
