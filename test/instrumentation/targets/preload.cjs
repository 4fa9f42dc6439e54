require('./preload.mjs')
