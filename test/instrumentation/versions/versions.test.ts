import { NODE_VERSIONS } from '../../support/nodes.ts'
import { checkLibrary } from '../harness/library.ts'

checkLibrary('versions', { names: ['all'], nodes: NODE_VERSIONS.filter((each) => process.version !== `v${each}`) })
