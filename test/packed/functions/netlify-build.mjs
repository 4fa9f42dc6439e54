// Bundles the functions as Netlify does: `node netlify-build.mjs <folder>`.
import { zipFunctions } from '@netlify/zip-it-and-ship-it'

await zipFunctions('netlify', process.argv[2], { archiveFormat: 'none' })
