export default { test: { include: ['*.eval.mjs'], isolate: true } }
