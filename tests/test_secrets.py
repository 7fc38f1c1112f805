"""Masking."""

from __future__ import annotations

import re
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from aftermind.engine.masking import secrets
from aftermind.engine.masking.secrets import RULES, mask
from tests.written_secrets import BASE64, HEX, IN_PLACE, MIXED, TOKENS, pem

CLEAN = [
    "",
    "the token is refreshed daily",
    "password: required field",
    "Enter your password: it must be at least 8 characters",
    '{"password": "At least 8 characters"}',
    "password (min 8 characters)",
    "token = get_token()",
    "token = self.tokens[12]",
    "api_key = os.environ.get('API_KEY_2024')",
    'password = os.environ["DB_PASSWORD_1"]',
    "password=password",
    "login(password=password1, token=user.token_v2)",
    "sign(secret=base64_secret, key=oauth2_token_v2, password=hashed_password.v64)",
    "aws secretsmanager batch-get-secret-value --secret-id-list MySecret1 MySecret2",
    "def login(password: str, token: Token2Type = None) -> None: ...",
    'password == "abc12345"',
    '{"type": "string", "token": "string"}',
    '"output_token": "ExclusiveStartShardId", "token_key": "auth.passwordHint"',
    "authorization = base64.decodebytes(authorization)",
    "max_tokens=128000, tokens: 12345678",
    'tokenizer = "bert-base-uncased-v2"',
    'token_type: "at+jwt-2024"',
    'token_url = "https://auth.example.com/oauth2/v2/token"',
    "token_path=/home/user/.config/token2024",
    "token: 2024-01-01T00:00:00Z",
    "SECRET=${SECRET_2024}",
    "TOKEN=$TOKEN_2024 make",
    "token: <your-token-123>",
    'password: "{{ vault_password_1 }}"',
    'f"Bearer {token}" + f"https://{user}:{password}@{host}"',
    "https://user:***@host and https://$USER:$PASS@host",
    'api_key = "YOUR_API_KEY_123"',
    'password = "changeme"',
    "PASSWORD=xxxxxxxxxxxx",
    "token: null",
    "Authorization: Bearer <token>",
    "Authorization: Bearer $TOKEN",
    "the Authorization header is required, Bearer authentication is used",
    "id sk-learn-something-with-a-long-name",
    '<div class="sk-loading-indicator-wrapper">',
    "commit 3f2a9c0b1d4e5f60718293a4b5c6d7e8f9012345",
    "123e4567-e89b-12d3-a456-426614174000",
    '"integrity": "sha512-' + "abcDEF0123456789+/" * 4 + '=="',
    "sha256:" + HEX * 4,
    "cache-key: Linux-node-3f2a9c0b1d4e5f607182",
    "primary_key=ab12cd34ef56, monkey: ab12cd34ef56",
    "/home/user/.cache/pip/wheels/3f/2a/9c0b1d4e5f60718293a4b5c6d7e8f9012345",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGJhc2U2NGJhc2U2NGJhc2U2NGJhc2U2NA user@host",
    "-----BEGIN CERTIFICATE-----\n" + BASE64 * 2 + "\n-----END CERTIFICATE-----",
    "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
    "git@github.com:org/repo.git http://localhost:8080/@scope/pkg https://host:8443/a?b=c@d",
    "arn:aws:secretsmanager:eu-west-1:123456789012:secret:database-a1b2c3",
    "npm_config_registry_with_a_long_name hf_hub_download_with_a_long_name",
    "the password is base64-encoded, the passphrase was 12-characters long",
    "a password is required, and is hashed with pbkdf2-sha256",
    "the token is user_id_2024, and 3 tests pass is 3rdparty-lib2",
    "--- PASS: TestCheckout12 (0.01s)\nPASS: unit-test-12.sh",
    "tests pass: 12345/12346",
    "WHERE api_key = $3::text",
    "cat token | sha256sum\necho $token | python3.11 -c pass; kubectl get secret | jq2023.sh .data",
    "| name | type |\n|---|---|\n| password | varchar(255) |\n| token | required |\n| api_key | in vault-2024.md |",
    "def signed(key: PrivateKey | Ed25519PublicKey | None)",
    "curl -u $USER:$PASS https://host.example; curl -u user: https://host.example; curl -u me:<password> x",
    "mysql -u root -p shop && mysql -P 3306 -p3306, redis-cli -a $PW, docker login -u me -p $(pass show hub)",
    "mkdir -p src && docker run -p 8080:80 -u 1000:1000 image; curl https://host.example; sudo -u www-data:www-data",
    "the secret " + "0123456789abcdef0123456789abcdef01234567" + " is a commit",
    "the secret /usr/local/lib/python3/site/packages/foo is a place",
    "secret: src/components/auth/LoginFormPage1/parts1",
    "docker login -u me -p ${{ secrets.HUB_1 }}\ncurl -u me:${{ secrets.API }} x\nmysql -u root -p'{{ db_pass }}' shop",
    "the password is env:DB_PASS_2 here and vault:secret/data/app2 there",
    "mysql is slow, run make -pretty and see; in mysql we use -path and -port flags",
    "mysql client, git log -patch\nmysqladmin ping -h localhost -port 3306\nmysql data: mkdir -parents x",
    "redis-cli ping && docker ps -a --format x\nredis-cli returns PONG, then git commit -a -m x",
    "docker login and docker compose -p myproject up\naz login && mkdir -p foo/bar",
    "sshpass -f file ssh -p 2222 host\nsshpass -e scp -P 2222 -p file host:",
    "docker run curl -u 1000:1000 sh\ncurl is used with -unix-socket:foo\ncurl -u https://host.example",
    "| pass | test_login_2fa_1 | 0.3s |\n| tokens | 128k-context |\n| tokens | 8.5k/10.2k |",
    "The password is PostgreSQL15-compatible, the other password is ES256-signed.",
    "\"name=x password=token_12\" 'host=db password=mypassword' \"host=%s password=%s\" f('host=db', password=pass_12)",
    "'user = ?, password=new_password_12 where' \"port=5432 token=next_token_12\" 'user=x key=my_api_key_12'",
    "<dt>password</dt><dd>required field</dd><td>token</td><td>v2.0-beta or so</td><td>secret</td><td>NVARCHAR2</td>",
    "<th>Password</th><th>Username12</th><td>tokens</td><td>128k-context</td><span>password</span><span>value12345</span>",
    "密码：必须包含8-20位字母和数字\n密码: 长度8到20个字符",
    "AGE-SECRET-KEY-1XXXXXXXXXX AGE-SECRET-KEY-" + "X" * 58 + " age1" + "qpzry9x8gf2tvdw0s3jn54khce" * 2,
    "glsa_token_of_a_service_account_in_grafana_cloud glc_[A-Za-z0-9+/]{32,} shpat_your_token_of_the_app_here",
    "hvs.get_secret_engine_configuration() hvs.a_method_with_a_rather_long_name dp.st.dev.config_of_the_service_it_is",
    "dapi_client_for_the_workspace_of_2024 NRAK-YOUR-API-KEY-OF-NEW-RELIC-HERE PMAK-your-key-0123456789abcdef01234567",
    "ntn_token_of_the_integration lin_api_key_of_the_workspace sbp_access_token_of_supabase secret_manager_client_v2",
    "secret_" + "AccessManagerConfigurationOfTheWholeProject " + "pscale_pw_of_the_branch_that_is_called_main_today",
    "cache-key-" + HEX * 2 + " key-of-the-cache-0123456789abcdef monkey-" + HEX * 2 + " key-" + "0123456789" * 3 + "12",
    "12:34:AA" + MIXED * 2 + "b 12345678:AA" + MIXED * 3 + " 00:11:22:AA:BB:CC:DD:EE:FF:00:11:22:33:44:55:66",
    "MTA1NjAx" + "abcdefghijklmnop" + ".GaBcDe." + "A1b2C3d4_" * 3 + " MTUser.controller.methodNamesOfTheWholeModule",
    "the machine needs a login and a password before it starts; a machine learning login page password reset",
    "machine <host> login <user> password <password>; machine h login $USER password $PASS",
    "machine ftp.example login anonymous password ann@example; default login anonymous password user@site",
    "login user password hunter22, the login form password field",
    "Cookie: theme=dark; lang=en_US; _ga=GA1.2.1234567890.1234567890; consent=0123456789abcdef0123456789abcdef",
    "Cookie: session=<your session id 1234567890>; Set-Cookie: sid=deleted; expires=Thu, 01 Jan 1970 00:00:00 GMT",
    "Cookie: session=${SESSION_0123456789abcdef} cookie = session.get('session=' + id_of_the_session_1234)",
    "cookie: string; cookies = session_cookies(id_1234567890abcdef) a cookie's session=lifetime-of-the-browser",
    "PASS_TESTS = \\\n\tunit-test-12.sh \\\n\tunit-test-13.sh\nTOKEN_SOURCES = \\\n  lexer_v2/token12-of-it \\\n  x",
    "token = \\\n    get_token_of_2024()\npassword = \\\n    config.passwords_v2.of_2024\nsecret=\\\n${SECRET_2024}",
    "token = s.someAttributeOfTheTokens and s.Abcdefgh1Jklmn2pQrstuvwx alone",
    "Private-Lines: 1\nand then base64, until the line Private-MAC: comes",
    "gsk_tests_of_the_module_that_is_called_by_others_in_turn",
    "r8_register_of_the_processor_eight_bits_",
    "xai-" + "x-" * 45,
    "disk_space_left_on_device_of_the_machine figd_ dckr_pat_",
    "nfp_name_of_a_function_with_a_long_name_ cfk_configuration",
    "sha256~0a1b sha256:" + HEX * 4 + " audacious1cioA1b2 CCIPAT_ATTRIBUTES_OF_THE_PIPELINE_THAT_RUNS ATBBR_" + HEX * 2,
    "AKCp and cmVmZXJlbmNlcyB0byBwbGFjZXMgaW4gYSB0ZXh0 pul-request-0a1b2c3d sgp_local_0a1b2c3d bkua_ squ_ EAAA",
    "LS0tLS1CRUdJTi" + "BDRVJUSUZJQ0FURS0tLS0tCg" + "A1b2" * 30,
    "LS0tLS1CRUdJTi" + "BQVUJMSUMgS0VZLS0tLS0K" + "A1b2" * 30,
    "?sig=short&x=y",
    "config=0123456789012345678901234567890123456789 the X-Amz-Signature=<64 digits> /webhooks/12/notify",
    '"auth": "required", "auth": "oauth2-token-v2", "auth": "authenticator2" npm_auth=basic _auth=enabled',
    "TOKEN_MODEL=text-embedding-3 PASS_TESTS=unit-test-1",
    "password=first2names secret = someValue2OfMine MAX_TOKENS=4k-context",
    "the password for the staging db is in 1password, and the password of a user is hashed with argon2id-m64",
    "change the password to something longer; passwords should be min8chars; the password to use: see vault",
    "the token is validated2 by the gateway, the token for v2 is short, the secret is stored-in-vault-2024-eu-west",
    'x("API key: " + name12 + "y") f("Token for the user: ", user12, "!") ["Password for the db:"<n.span12>"]',
    "login page / checkout2024 creds: see 1password / vault login as admin: use sso2 instead",
    "a dynamic library identified by 'name', with password 'required', ALTER USER app WITH PASSWORD '$PASSWORD_2'",
    "echo $PASSWORD | sudo -S ls; echo hello | sudo tee x; mongo -p 27017 -port 2; ldap -widget; requirepass is a key",
    "<password></password> <password>${db.password}</password> <secret>required</secret>",
    '<input name="password" value=""/>',
    "the pwm signal is 12345678x9, a pw holder; fn password(&self) -> String2Result; password -> Promise<string>",
    "\x00 \ud800 😀 İ ß",
]


def masked(kind: str, secret: str) -> str:
    return f"[masked {kind}, {len(secret)} characters]"


@pytest.mark.parametrize(("kind", "secret"), TOKENS)
@pytest.mark.parametrize(
    "around",
    [
        "{}",
        "a {} b",
        '"{}"',
        '\\"{}\\"',
        "'{}',",
        "({})",
        "\\n{}\\n",
        "\\u0022{}\\u0022",
        "%22{}%22",
        "\x1b[32m{}\x1b[0m",
    ],
)
def test_a_secret_is_masked_wherever_it_stands_and_kind_and_length_stay(kind: str, secret: str, around: str) -> None:
    assert mask(around.format(secret)) == around.format(masked(kind, secret))


@pytest.mark.parametrize(("around", "secret", "kind"), IN_PLACE)
def test_only_the_secret_is_masked_and_what_names_it_stays(around: str, secret: str, kind: str) -> None:
    assert mask(around.format(secret)) == around.format(masked(kind, secret))


def test_a_password_in_a_url_is_masked_and_its_user_stays() -> None:
    assert mask("https://ann:hunter2@host/x") == "https://ann:[masked url-password, 7 characters]@host/x"


def test_every_rule_has_a_secret_in_these_tests() -> None:
    assert {rule.kind for rule in RULES} == {kind for kind, _ in TOKENS} | {kind for *_, kind in IN_PLACE}


@pytest.mark.parametrize("text", CLEAN)
def test_text_without_secrets_comes_back_as_the_same_object(text: str) -> None:
    assert mask(text) is text


def test_a_secret_with_a_name_is_called_by_what_it_is() -> None:
    token = "ghp_" + "A1b2" * 9
    assert mask(f'token = "{token}"') == f'token = "{masked("github-token", token)}"'
    key = pem("PRIVATE KEY", newline="\\n")
    assert mask(f'"private_key": "{key}"') == f'"private_key": "{masked("private-key", key)}"'


def test_two_secrets_are_masked_each() -> None:
    one, two = "ghp_" + "A1b2" * 9, "AKIA" + "Q2W3" * 4
    expected = f"{masked('github-token', one)} {masked('aws-access-key-id', two)}"
    assert mask(f"{one} {two}") == expected


def test_where_secrets_overlap_all_of_it_is_masked_once() -> None:
    both = "first2:" + "ghp_" + "A1b2" * 9
    assert mask(f"password='{both}'") == f"password='{masked('github-token', both)}'"


def test_a_private_key_without_its_end_is_masked_and_what_follows_stays() -> None:
    cut = pem("RSA PRIVATE KEY", end=False)
    assert mask(f"{cut}\n\nThen it stopped.") == f"{masked('private-key', cut)}\n\nThen it stopped."


@pytest.mark.parametrize("margin", ["  ", "> ", "+", "-", "# ", "    12→"])
def test_a_private_key_is_masked_in_a_quotation_a_diff_and_a_listing(margin: str) -> None:
    key = pem("RSA PRIVATE KEY").replace("\n", "\n" + margin)
    assert re.fullmatch(r"\[masked private-key, \d+ characters\]", mask(key))
    cut = pem("RSA PRIVATE KEY", end=False).replace("\n", "\n" + margin)
    assert BASE64 not in mask(cut)
    assert "ab/+" not in mask(cut)


def test_case_does_not_matter_for_names_and_letters_that_grow_in_lower_case_move_nothing() -> None:
    assert mask("İİİ PassWord='S3cret!go'") == "İİİ PassWord='[masked password, 9 characters]'"


def test_a_text_that_uncovers_secrets_without_end_is_masked_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets, "_PASSES", 1)
    assert mask("DB_PASSWORD=hunter22") == "[masked text, 20 characters]"


FRAGMENTS = [
    *{anchor for rule in RULES for anchor in rule.anchors},
    *[secret for _, secret in TOKENS],
    *[around.format(secret) for around, secret, _ in IN_PLACE],
    *["password", "--token ", "api_key", "Bearer ", "a", "1", "S3cret!go", "ab12cd34", "eyJ", "://u:p", "[masked "],
    *["[masked token, 5 characters]", ", 5 characters]", *" \n\t\\\"'`=:@/.,;_-+$#<>()[]{}%", '\\"', "\\n", "İ", "é"],
    *["😀", "\x00", "\ud800"],
]
TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=[]), max_size=60), st.lists(st.sampled_from(FRAGMENTS)).map("".join)
)


@given(TEXTS)
@example(("dop_v1_" + HEX * 4) + ("ghp_" + "A1b2" * 9))
def test_masking_twice_is_masking_once(text: str) -> None:
    once = mask(text)
    assert mask(once) == once


ANCHORS = re.compile("|".join(re.escape(anchor) for rule in RULES for anchor in rule.anchors), re.IGNORECASE)


@given(TEXTS.filter(lambda text: not ANCHORS.search(text.replace("İ", "i"))))
def test_text_without_anchors_comes_back_as_the_same_object(text: str) -> None:
    assert mask(text) is text


LONG = 1_000_000
HOSTILE = [
    *sorted({anchor for rule in RULES for anchor in rule.anchors}),
    *[
        "token=",
        "token:a1",
        'token="',
        'token=\\"',
        "api_key=ab..",
        "authorization: a ",
        "--token ",
        "://a:",
        "://a:@@@",
        "curl -u a:",
        "mysql ",
        "mysql -",
        'mysql -u "',
        "mysql -u ''\"\"",
        "curl \\\n",
        "machine a login b ",
        "machine " + "a" * 120 + " login b password ",
        "cookie: a=",
        "cookie: a=b; ",
        "cookie: " + "a=;" * 20 + "sess",
        "--cookie session=a1",
        "Private-Lines: 1\n" + "A" * 16 + "\n",
        "token=\\\na1b2c3d4 \\\n",
        " MTA1NjAx",
        " dp.st.",
        "12345678:AA",
    ],
    *["-eyJ", " eyJaaaaaaaaa.", " ghs_1_eyJ", "-glpat-", " sk-_", " SG.aaaaaaaaaaaaaaaaaaaa.-", "İ"],
    *["-----" + "BEGIN PRIVATE KEY-----", "-----" + "BEGIN PRIVATE KEY-----\nAb: c\nAb: c", "token=ab12cd34ef56 "],
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_a_text_made_to_be_slow_is_not(piece: str) -> None:
    once = mask(piece * (LONG // len(piece)))
    assert mask(once) == once


@pytest.mark.parametrize(
    "head",
    [
        *[" eyJ", "token=", 'token="', "-----" + "BEGIN PRIVATE KEY-----\n", "Bearer ", "://a:"],
        "Private-Lines: 1\n" + "A" * 16,
        "cookie: session=",
        "machine a login b password ",
        " MTA1",
        " hvs.",
        " glc_eyJ",
    ],
)
@pytest.mark.parametrize("tail", ["a", "1", "a1", "=", "-", "\\", "<", "\n", "/", "@", "A\n"])
def test_a_long_tail_is_not_slow_either(head: str, tail: str) -> None:
    once = mask(head + tail * (LONG // len(tail)))
    assert mask(once) == once


def test_ten_megabytes_are_no_problem() -> None:
    text = "ordinary words, and a few more 😀\n" * (10 * LONG // 33)
    assert mask(text) is text
    assert sys.getsizeof(mask(text + "DB_PASSWORD=hunter22")) > 10 * LONG
