export { Thumb } from './bare.page.js'
