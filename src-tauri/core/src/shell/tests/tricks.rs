//! Quotes and wrappers: what hides a program from whoever reads in haste.

use super::table;
use expect_test::expect;

#[test]
fn quoting_tricks_don_t_hide_a_program() {
    table(
        &[
            "r''m x",
            "r\"\"m x",
            "\\rm x",
            "'rm' x",
            "$'\\x72m' x",
            "r\\\nm x",
            "/bin/rm x",
            "$x rm",
            "${x}rm y",
            "$(echo rm) x",
            "{rm,x}",
            "git sta\\\ntus",
            "git status # && rm x",
            "git status #\nrm x",
            "git\u{a0}status",
            "'git status'",
        ],
        expect![[r#"
            r''m x
                rm · x =plain
            r""m x
                rm · x =plain
            \rm x
                rm · x
            'rm' x
                rm · x =plain
            $'\x72m' x
                «$'\x72m'» · x =opaque
            r\⏎m x
                rm · x
            /bin/rm x
                /bin/rm · x =plain
            $x rm
                «$x» · rm =opaque
            ${x}rm y
                «${x}rm» · y =opaque
            $(echo rm) x
                «$(echo rm)» · x ‖ in echo · rm =compound =opaque
            {rm,x}
                «{rm,x}» =opaque
            git sta\⏎tus
                git · status
            git status # && rm x
                git · status
            git status #⏎rm x
                git · status ‖ ; rm · x =compound
            git status
                git status
            'git status'
                git status =plain
        "#]],
    );
}

#[test]
fn what_sets_or_wraps_shows_what_is_behind_it() {
    table(
        &[
            "A=1 git status",
            "A=$(rm x) git status",
            "A=1",
            "env A=1 rm x",
            "env -i rm x",
            "env -S 'rm x'",
            "sudo rm x",
            "sudo -u me rm x",
            "sudo --user=me -n rm x",
            "sudo -Z x rm y",
            "xargs rm",
            "ls | xargs -n1 -I{} rm {}",
            "nohup rm x",
            "nice -n 5 rm x",
            "timeout 5 rm x",
            "timeout -s KILL 5 rm x",
            "command rm x",
            "command -v rm",
            "exec rm x",
            "builtin eval 'rm x'",
            "eval 'rm x'",
            "eval rm x",
            "eval $x",
            "bash -c 'rm x'",
            "bash -lc \"git status && rm x\"",
            "bash -c \"$x\"",
            "sh x.sh",
            "bash",
            "sudo bash -c 'xargs rm'",
            "ssh host rm -rf x",
            "ssh -p 22 host 'rm x; ls'",
            "find . -name x -exec rm {} \\;",
            "find . -exec sh -c 'rm x' \\;",
            "find . -delete",
            "trap 'rm x' EXIT",
            "watch -n 1 rm x",
            "su me -c 'rm x'",
            "git -c alias.x='!rm y' x",
            "python3 -c 'import os'",
            "python3 x.py",
            "awk '{system(\"rm x\")}' y",
            "alias git=rm",
        ],
        expect![[r#"
            A=1 git status
                git · status [set A=1]
            A=$(rm x) git status
                git · status [set A=$(rm x)] ‖ in rm · x =compound
            A=1
                [set A=1]
            env A=1 rm x
                env · A=1 · rm · x ‖ in rm · x
            env -i rm x
                env · -i · rm · x ‖ in rm · x
            env -S 'rm x'
                env · -S · rm x =opaque
            sudo rm x
                sudo · rm · x ‖ in rm · x
            sudo -u me rm x
                sudo · -u · me · rm · x ‖ in rm · x
            sudo --user=me -n rm x
                sudo · --user=me · -n · rm · x ‖ in rm · x
            sudo -Z x rm y
                sudo · -Z · x · rm · y =opaque
            xargs rm
                xargs · rm ‖ in rm
            ls | xargs -n1 -I{} rm {}
                ls ‖ | xargs · -n1 · -I{} · rm · {} ‖ in rm · {} =compound
            nohup rm x
                nohup · rm · x ‖ in rm · x
            nice -n 5 rm x
                nice · -n · 5 · rm · x ‖ in rm · x
            timeout 5 rm x
                timeout · 5 · rm · x ‖ in rm · x
            timeout -s KILL 5 rm x
                timeout · -s · KILL · 5 · rm · x ‖ in rm · x
            command rm x
                command · rm · x ‖ in rm · x
            command -v rm
                command · -v · rm =plain
            exec rm x
                exec · rm · x ‖ in rm · x
            builtin eval 'rm x'
                builtin · eval · rm x ‖ in eval · rm x ‖ in rm · x
            eval 'rm x'
                eval · rm x ‖ in rm · x
            eval rm x
                eval · rm · x ‖ in rm · x
            eval $x
                eval · «$x» =opaque
            bash -c 'rm x'
                bash · -c · rm x ‖ in rm · x
            bash -lc "git status && rm x"
                bash · -lc · git status && rm x ‖ in git · status ‖ in rm · x
            bash -c "$x"
                bash · -c · «"$x"» =opaque
            sh x.sh
                sh · x.sh =plain
            bash
                bash =opaque
            sudo bash -c 'xargs rm'
                sudo · bash · -c · xargs rm ‖ in bash · -c · xargs rm ‖ in xargs · rm ‖ in rm
            ssh host rm -rf x
                ssh · host · rm · -rf · x ‖ in rm · -rf · x
            ssh -p 22 host 'rm x; ls'
                ssh · -p · 22 · host · rm x; ls ‖ in rm · x ‖ in ls
            find . -name x -exec rm {} \;
                find · . · -name · x · -exec · rm · {} · ; ‖ in rm · {}
            find . -exec sh -c 'rm x' \;
                find · . · -exec · sh · -c · rm x · ; ‖ in sh · -c · rm x ‖ in rm · x
            find . -delete
                find · . · -delete =plain
            trap 'rm x' EXIT
                trap · rm x · EXIT ‖ in rm · x
            watch -n 1 rm x
                watch · -n · 1 · rm · x ‖ in rm · x
            su me -c 'rm x'
                su · me · -c · rm x ‖ in rm · x
            git -c alias.x='!rm y' x
                git · -c · alias.x=!rm y · x =opaque
            python3 -c 'import os'
                python3 · -c · import os =opaque
            python3 x.py
                python3 · x.py =plain
            awk '{system("rm x")}' y
                awk · {system("rm x")} · y =opaque
            alias git=rm
                alias · git=rm =opaque
        "#]],
    );
}
