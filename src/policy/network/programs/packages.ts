/** Package managers: which of their commands reach the network, and where a line names another source. */
import type { HostPlaces } from '../host-places.ts'

const NPM = {
  arguments: 'package',
  options: {
    url: '--registry --proxy --https-proxy',
    settings: '--userconfig --globalconfig --npmrc-auth-file',
    package: '-p --package',
  },
  values:
    '-w --workspace --tag --omit --include --prefix -C --loglevel --cache --filter -F --access --otp --depth --cwd --dir',
  settings: 'npm',
  usual: 'npmjs.org',
  instead: '--registry',
  quiet: '--offline --no-install --prefer-frozen-offline --version -v --help -h',
} as const satisfies HostPlaces

const PIP: HostPlaces = {
  arguments: 'requirement',
  options: {
    url: '-i --index-url --pypi-url --extra-index-url --proxy --default-index --index --publish-url --check-url --repository-url',
    link: '-f --find-links -r --requirement -c --constraint',
    requirement: '-e --editable --git --with --from --with-requirements --spec',
    settings: '--pip-args --config-file --isolated-config',
  },
  values:
    '-t --target -d --dest --prefix --root --platform --python-version --implementation --abi -p --python --extra --group -G',
  settings: 'python',
  usual: 'pypi.org pythonhosted.org',
  instead: '-i --index-url --default-index --no-index',
  quiet: '--offline --version -V --help -h',
}

const GEM: HostPlaces = {
  arguments: 'link',
  options: {
    url: '-s --source --clear-sources -p --http-proxy --host',
    link: '-a --add --git',
    settings: '--config-file',
  },
  values: '-v --version -i --install-dir -n --bindir',
  settings: 'ruby',
  usual: 'rubygems.org',
  quiet: '--local --help -h',
}

/** The mirrors of a distribution, which differ from machine to machine. */
const SYSTEM: HostPlaces = {
  arguments: 'link',
  options: {
    settings: '-o --option -c --config-file --config --setopt --reposdir --sources-list',
    link: '-X --repository',
    named: '--repofrompath --add-repo',
  },
  values: '-t --target-release -a --host-architecture',
  usual: '',
  quiet: '--version --help -h --no-download --no-network',
}

const SYSTEM_LOCAL =
  'list show search policy depends rdepends remove purge autoremove autopurge clean autoclean mark unmark hold unhold ' +
  'showhold help version why why-not check del info dot stats index verify audit history repolist list-installed query'

export const PACKAGE_PROGRAMS: readonly [names: string, places: HostPlaces][] = [
  [
    'npm cnpm tnpm',
    {
      ...NPM,
      local:
        '- run run-script rum urn test t tst start stop restart ls list la ll root prefix bin config c get set help help-search version explain why pkg query fund shrinkwrap rebuild rb completion prune',
    },
  ],
  ['npx pnpx bunx', { ...NPM, arguments: undefined, first: 'package' }],
  [
    'pnpm',
    {
      ...NPM,
      reaching:
        'install i add update up upgrade outdated audit publish dlx create import fetch login logout view info show search remove rm uninstall un dedupe env self-update deploy patch link ping whoami owner access dist-tag deprecate unpublish install-test it setup config-dependencies licenses',
    },
  ],
  [
    'yarn yarnpkg',
    {
      ...NPM,
      reaching:
        '- install add up upgrade upgrade-interactive outdated audit publish npm info dlx create global login logout import dedupe set plugin fetch policies remove unplug link owner tag search self-update stage autoclean',
    },
  ],
  [
    'bun',
    {
      ...NPM,
      reaching:
        'install i add a update upgrade remove rm outdated audit publish x create c info link patch why',
    },
  ],
  ['corepack', { ...NPM, local: 'enable disable cache' }],
  ['lerna nx turbo', { ...NPM, reaching: 'publish bootstrap add import login link connect' }],
  ['jsr jspm bower', { ...NPM, local: 'list ls help' }],
  [
    'deno',
    {
      reaching:
        'install i add cache outdated update upgrade publish jsr run test bench eval x serve compile info doc check create',
      arguments: 'link',
      options: { link: '--import-map --config -c --reload --allow-import' },
      quiet: '--version --help --cached-only',
    },
  ],
  ['pip', { ...PIP, reaching: 'install download wheel index search lock' }],
  [
    'uv',
    {
      ...PIP,
      reaching: 'add sync lock pip run tool python publish self remove build export venv x init tree upgrade',
    },
  ],
  ['uvx pipx-run', { ...PIP }],
  [
    'pipx',
    {
      ...PIP,
      reaching:
        'install run upgrade upgrade-all inject reinstall reinstall-all runpip install-all upgrade-shared',
    },
  ],
  [
    'poetry pdm hatch rye pipenv flit twine',
    {
      ...PIP,
      reaching:
        'add install update lock publish self source search sync upload outdated build new init env fetch plugin',
    },
  ],
  [
    'easy_install conda mamba micromamba pixi',
    {
      ...PIP,
      options: { link: '-c --channel -f --find-links -i --index-url' },
      local: 'list info config activate deactivate env-list shell run clean init',
      usual: 'anaconda.org anaconda.com pypi.org',
    },
  ],
  [
    'cargo',
    {
      reaching:
        'fetch install add update search publish login owner yank generate-lockfile vendor binstall info logout remove',
      arguments: 'link',
      options: { link: '--git --index', settings: '--config --registry' },
      values:
        '--path --branch --tag --rev --version --features -F --bin --root -p --package --manifest-path --target-dir --target',
      settings: 'cargo',
      usual: 'crates.io',
      quiet: '--offline --frozen --version -V --help -h',
    },
  ],
  [
    'rustup',
    {
      reaching: 'update toolchain install self target component check upgrade default',
      arguments: 'link',
      usual: 'rust-lang.org',
      quiet: '--version --help',
    },
  ],
  [
    'gem',
    { ...GEM, local: 'list contents which environment env help specification build check cleanup uninstall' },
  ],
  ['bundle bundler', { ...GEM, reaching: '- install update add outdated lock package cache plugin i' }],
  [
    'composer',
    {
      reaching:
        'install i update u upgrade require r create-project outdated global self-update selfupdate search audit diagnose show browse config',
      arguments: 'link',
      options: { link: '--repository --repository-url --add-repository' },
      settings: 'php',
      usual: 'packagist.org',
      quiet: '--version --help',
    },
  ],
  ['pecl pear', { local: 'list info help', arguments: 'url', usual: 'php.net' }],
  [
    'brew',
    {
      reaching:
        'install upgrade update reinstall fetch tap search cask bundle livecheck bump extract up info home',
      arguments: 'repository',
      usual: 'brew.sh ghcr.io github.com',
      quiet: '--version --help',
    },
  ],
  ['apt apt-get aptitude apt-file nala', { ...SYSTEM, local: SYSTEM_LOCAL }],
  ['add-apt-repository apt-add-repository', { ...SYSTEM, usual: 'launchpadcontent.net' }],
  [
    'dnf dnf5 yum microdnf zypper tdnf rpm-ostree urpmi',
    { ...SYSTEM, local: 'remove rm erase autoremove clean history help mark' },
  ],
  [
    'apk opkg ipkg xbps-install slackpkg swupd eopkg',
    { ...SYSTEM, local: 'del info list search remove version stats audit dot verify' },
  ],
  [
    'pacman yay paru pamac',
    {
      arguments: 'link',
      options: { settings: '--config' },
      usual: '',
      quiet: '-Q -D -T -V -R --query --version --help --remove --database',
    },
  ],
  [
    'snap flatpak',
    {
      local:
        'list info remove uninstall services logs connections interfaces version help override run ps kill',
      arguments: 'link',
      usual: 'snapcraft.io flathub.org',
    },
  ],
  [
    'port guix elm choco winget scoop emerge conan vcpkg luarocks opam cabal stack cpan cpanm spack sdk asdf mise nvm fnm volta pyenv rbenv rvm nodenv n tfenv goenv jenv proto pkgx',
    {
      local:
        'list ls info current which help use local version versions search-installed where env exec run global shell remove uninstall',
      arguments: 'package',
      options: { url: '--server --mirror --substituters --source -s' },
      usual: '',
      quiet: '--version --help --offline',
    },
  ],
  [
    'nix-env nix nix-shell nix-build nix-channel',
    {
      arguments: 'package',
      options: { url: '--substituters --option', package: '-f --file -I' },
      usual: '',
      quiet: '--version --help --offline',
    },
  ],
  ['rpm dpkg', { arguments: 'link', options: { url: '--httpproxy --ftpproxy' } }],
  [
    'flutter dart pub mix rebar3 hex swift pod carthage xcodes lein clj',
    {
      reaching:
        'pub get upgrade add deps.get deps.update hex.publish hex.user package install update fetch resolve outdated publish repo hex.info archive.install local.hex deps upgrade-project',
      arguments: 'link',
      usual: '',
    },
  ],
  [
    'mvn mvnw gradle gradlew sbt ant mill bazel bazelisk buck pants',
    { arguments: 'link', opens: '--init-script' },
  ],
]
