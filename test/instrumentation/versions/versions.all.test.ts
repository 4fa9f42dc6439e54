import { NODE_VERSIONS } from '../../support/nodes.ts'
import { checkLibrary } from '../harness/library.ts'

const OTHERS = NODE_VERSIONS.filter((each) => process.version !== `v${each}`)

for (const [index, version] of OTHERS.entries())
  checkLibrary('versions', [{ name: 'all', kind: index % 2 ? 'require' : 'import' }], version)
