// The same work, for an application that requires the package.
const { work } = require('./work-of.cjs')

work(require('@svc/tracing')).then((did) => console.log(JSON.stringify(did)))
