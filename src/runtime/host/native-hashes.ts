/** SHA-256 of each native binary, by its path in `node_modules`; `scripts/native-hashes.js` writes this file. */
export const NATIVE_HASHES: Readonly<Record<string, string>> = {
  'classic-level/prebuilds/android-arm/classic-level.armv7.node':
    'fe196ae283d4852d4b75b510eb148c05de821f5d5d32a158aa9afa1411ccb5dd',
  'classic-level/prebuilds/android-arm64/classic-level.armv8.node':
    'f76444a1d96b46a4548170bba1c4b4de76438b2f296b3de4ebc02e4391eff803',
  'classic-level/prebuilds/darwin-x64+arm64/classic-level.node':
    'e311fd4aadf58e151dcb19b0144fbbb468ef08fb73d77bca806e7320725ef26c',
  'classic-level/prebuilds/linux-arm/classic-level.armv6.node':
    '363693d6d11f3c5c4325391a79ce528ab47756ee46520fc60742194da90f48e0',
  'classic-level/prebuilds/linux-arm/classic-level.armv7.node':
    '88f4c538c8759309489047d090bf02b40d6466059ba7903f6052b3b411fb6e46',
  'classic-level/prebuilds/linux-arm64/classic-level.armv8.node':
    'd81eaacbec70a75c872c5da37e0dd8e7b3d65b565a1b55953b7b4b532608bfb0',
  'classic-level/prebuilds/linux-x64/classic-level.musl.node':
    'd987896212d3daea0c18997fb4fa5323381bac7dd05bec18920951738029320b',
  'classic-level/prebuilds/linux-x64/classic-level.node':
    '48843c7375f755db2b80d37bc26b075b74df584820b26dd1dc9cd7b323575143',
  'classic-level/prebuilds/win32-ia32/classic-level.node':
    'f18a79fd5fa7ca38047385f617949bffafce0f0a523f7381744ec9446a226f13',
  'classic-level/prebuilds/win32-x64/classic-level.node':
    '3537a4724d84912b85ff873d0e4f2665580ba7bc917d4f19aa2ed164a76ea7cf',
  'secp256k1/prebuilds/darwin-arm64/secp256k1.node': '9193f1e80547127dfa32e80324513d26454557dc2b3dfa8e962d6b6898e0f30d',
  'secp256k1/prebuilds/linux-x64/secp256k1.glibc.node':
    'd93a107b99002110e1bfcc2c427d5cd3e3b89dce278631285557d76fd42497ad',
  'secp256k1/prebuilds/linux-x64/secp256k1.musl.node':
    'd788fdbfb539b60d7e48901013d6e93df0c8a0ddc6e34b30a5221ce018ae1676',
  'secp256k1/prebuilds/win32-x64/secp256k1.node': '16313b522f8051b6e82ff06a90b66e1f371716196c4bdfa83366e6ffa0b1b0f6',
  'uWebSockets.js/dist/bin/uws_darwin_arm64_108.node':
    '5b8a491e3e772ce069dc6aaf0490892d2f6beea4adba1f62e71f3cd58bca19fd',
  'uWebSockets.js/dist/bin/uws_darwin_arm64_115.node':
    '5d523bccbe80d3d8fa59422ff81801b8179212b9a8a5da28bff6926a95a65701',
  'uWebSockets.js/dist/bin/uws_darwin_arm64_120.node':
    '98ffa032aeb84b98d432502738871c5748f6a636536d5705702c4985925a41ae',
  'uWebSockets.js/dist/bin/uws_darwin_arm64_127.node':
    'abbeea53d48e21c01808203e9f9835728f2cea720d2e5b154837ee3045b513be',
  'uWebSockets.js/dist/bin/uws_darwin_x64_108.node': 'f24bde344f238b7174b2d5641551e618cf98217b2f7fb59e7cd525996bf7ac9f',
  'uWebSockets.js/dist/bin/uws_darwin_x64_115.node': '1f2a5c73d9dc3066d39b675b73f2c50eddbc4f270d292a6126ddfe3757c54cf9',
  'uWebSockets.js/dist/bin/uws_darwin_x64_120.node': '3dc10babf35b3ce5d4edc7deaddf912a5a72a0ac7ad52b098dbe430c3c540313',
  'uWebSockets.js/dist/bin/uws_darwin_x64_127.node': 'afd992dc1ca1e33cdc7ce0c72a60baf236e590a257fcecbbbce7bc1a35451387',
  'uWebSockets.js/dist/bin/uws_linux_arm64_108.node':
    'a6820f6e868b615a0c616d9d77270b34893d05f2a7053046403a568697b8befc',
  'uWebSockets.js/dist/bin/uws_linux_arm64_115.node':
    'c0e29fc143b46b584f3debec7910014ec228198fc1f17aaeacd1de7991bd3769',
  'uWebSockets.js/dist/bin/uws_linux_arm64_120.node':
    'a855e3b7cc0db70ec503e296d50e91d2435db679bc3bd5433d7dae30e93c9b3c',
  'uWebSockets.js/dist/bin/uws_linux_arm64_127.node':
    'd4c4f8b2c28c5f6544b49e36d91b0beee238a5b90a07904a947f77061c8b814d',
  'uWebSockets.js/dist/bin/uws_linux_arm_108.node': 'a42c7e5ed3e65aa6a2c243613ef8b1cac7057ee6291a129f921dea4f6661e34e',
  'uWebSockets.js/dist/bin/uws_linux_arm_115.node': 'b02d5bc5ab08f040b6b9b818c3eb92806611f77a4dc2439a8f14cac827d498be',
  'uWebSockets.js/dist/bin/uws_linux_arm_120.node': '814b5e63337d5072a85276d5279824b4f9817f8008fcff1f4a4345e2f2c30444',
  'uWebSockets.js/dist/bin/uws_linux_arm_127.node': '0e1d4024b629a1fe17ec76cde8fe7e320101eb8bdcf7b2c4086933932e3cea23',
  'uWebSockets.js/dist/bin/uws_linux_x64_108.node': 'b67b3254b1acea464bd6f7b58403c260567c31924abeb6a508a9acdc17a40ce9',
  'uWebSockets.js/dist/bin/uws_linux_x64_115.node': '6f8d96d761a64beddb060f1f7f0e617dd293ed127ec1d57507aa561a0083171e',
  'uWebSockets.js/dist/bin/uws_linux_x64_120.node': 'fcb1172837abd2a2dd130f6c6502f18e9b562a5d88bcc3bcdca5e6e710278080',
  'uWebSockets.js/dist/bin/uws_linux_x64_127.node': '8cabc918bbf9a07323e54f89a33882491080b2eb35df0607f473ccdb1f3c31af',
  'uWebSockets.js/dist/bin/uws_win32_x64_108.node': '19848592d2b11e1905f43132e28fecb14de4472f29a7a9306e64fd6c09e026f7',
  'uWebSockets.js/dist/bin/uws_win32_x64_115.node': '58c8b8e47ae3dc6c382dbfc24656755106cbecce56add05ca2c32d5c39951ddd',
  'uWebSockets.js/dist/bin/uws_win32_x64_120.node': '90a09f33c5c876094340a283fa1197b518251a5b8a1f59d9e963736ef0532eb6',
  'uWebSockets.js/dist/bin/uws_win32_x64_127.node': '585d6ee2dbfc750b1d5a59e6ceaef8a977e90ef3e298a82821d58b41cd72a8c0',
};
