import { OTHER_NODES } from '../../support/nodes.ts'
import { checkLibrary } from '../harness/library.ts'

for (const [index, version] of OTHER_NODES.entries())
  checkLibrary('versions', [{ name: 'all', kind: index % 2 ? 'require' : 'import' }], version)
