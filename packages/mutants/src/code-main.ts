// The mutants of the code. `places.ts` reads the variable.
process.env['TIWALA_MUTANTS_OF'] = 'code'
await import('./main.ts')
