// Components carry no <style>: the whole look lives in src/styles, one sheet a surface.
export default { compilerOptions: { runes: true } };
