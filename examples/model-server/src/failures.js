import { Refusal } from './http.js'

/** What a model is called that fails: so, or so at the end, where a vendor has its name in front (`meta.llama-stall`). */
const FAILING = /(?:^|[.-])(error-[45]\d\d|flaky|slow|cut|stall|hang)$/

/** The name by which a model fails; its own, for most. */
const withoutVendor = (model) => FAILING.exec(model)?.[1] ?? model

/** Says what goes wrong for a model of some name: nothing, for most. */
export function createFailures() {
  let attempts = 0
  return (name = '') => {
    const model = withoutVendor(name)
    if (/^error-[45]\d\d$/.test(model)) {
      return { refusal: new Refusal(Number(model.slice(6)), `The model ${model} fails`) }
    }
    if (model === 'flaky' && ++attempts % 3 !== 0) return { refusal: new Refusal(500, 'Try again') }
    if (model === 'slow') return { pause: 20 }
    if (model === 'cut') return { cut: true }
    if (model === 'stall') return { stall: ' word' }
    if (model === 'hang') return { silent: true }
    return {}
  }
}
