"""MCP's Python SDKs hold every result against its tool's output schema: the spec tools, in both eras."""

import pytest
from house import ERAS

CONFIG = '[checks.unit]\nrun = ["true"]\n[targets.staging]\nrun = ["true"]\n[targets.production]\nrun = ["true"]\n'


@pytest.mark.parametrize("era", ERAS)
def test_a_strict_client_takes_every_result_of_the_spec_tools(home, era):
    with home.serve():
        program = home.pair("Writer", home.accept).start(era)
        (home.work / "countersign.toml").write_text(CONFIG)

        def does(tool, **arguments):
            result = program.call(tool, arguments).result()
            assert not result["is_error"], result
            return result["structured"]

        def answer(said, *how):
            home.run("inbox", "answer", said["request"]["id"], *how, "--passphrase-file", home.passphrase)

        made = does("create_spec", title="Refunds", body="Why.", criteria=["it is nice", {"text": "tests pass", "check": "unit"}])
        spec = made["id"]
        assert does("create_spec", title="refunds")["interactiveQuestions"][0]["id"] == "confirm-duplicate-title"
        assert does("get_spec", spec=spec)["criteria"][1]["check"] == "unit"
        assert does("list_specs")["specs"][0]["id"] == spec
        assert does("search_specs", query="refu")["specs"][0]["id"] == spec
        assert does("check_readiness", spec=spec)["passing"] == 0
        asked = does("update_status", spec=spec, status="approved")
        assert asked["interactiveQuestions"][0]["id"] == "confirm-low-criteria"
        relayed = does("update_status", spec=spec, status="approved", answers={"confirm-low-criteria": True})
        assert relayed["status"] == "approved"
        assert does("record_evidence", spec=spec, criterion="AC-1", met=True, evidence="seen")["outcome"] == "recorded"
        untrusted = does("validate", spec=spec)
        assert untrusted["untrusted"]["id"] and not untrusted["all_met"]
        home.run("trust", "--passphrase-file", home.passphrase)
        run = does("validate", spec=spec)["run_id"]
        assert does("get_run", run_id=run, wait_seconds=20)["state"] == "passed"
        assert does("cancel_run", run_id=run)["state"] == "passed"
        assert does("validate", spec=spec)["all_met"]
        assert does("lock_spec", spec=spec)["outcome"] == "locked"
        asked = does("update_spec", spec=spec, title="Refunds and more")
        answer(asked, "--yes", "--typed", spec)
        assert does("update_spec", spec=spec, title="Refunds and more")["outcome"] == "updated"
        asked = does("unlock_spec", spec=spec)
        answer(asked, "--no")
        assert does("unlock_spec", spec=spec)["outcome"] == "refused"
        assert does("deploy_spec", spec=spec, environment="staging")["outcome"] == "started"
        asked = does("deploy_spec", spec=spec, environment="production")
        assert asked["interactiveQuestions"][0]["options"] == ["staging", "production"]
        answer(asked, "--option", "production", "--typed", "production")
        started = does("deploy_spec", spec=spec, environment="production")
        assert does("get_run", run_id=started["run_id"], wait_seconds=20)["state"] == "passed"
        assert does("export_specs", folder="specs")["outcome"] == "written"
        assert does("export_specs", specs=[spec], format="json")["files"][0]["name"] == "specs.json"
        assert does("import_specs", path="specs")["specs"][0]["action"] == "unchanged"
        assert does("import_specs", path="specs", apply=True)["outcome"] == "imported"
        asked = does("delete_spec", spec=spec)
        answer(asked, "--yes", "--typed", spec)
        assert does("delete_spec", spec=spec)["outcome"] == "deleted"
