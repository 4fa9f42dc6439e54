import { Refusal } from './http.js'

/** Says what goes wrong for a model of some name: nothing, for most. */
export function createFailures() {
  let attempts = 0
  return (model = '') => {
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
