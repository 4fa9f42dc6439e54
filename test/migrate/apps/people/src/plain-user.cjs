// @ts-check
const { client } = require('./plain.cjs')
const plain = require('./plain.cjs')

client.getDataset('a')
plain.client.api.scoresV3.getManyV3({})
